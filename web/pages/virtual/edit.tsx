// Making a virtual model, changing one, and deleting one.
import type { VirtualModelView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, type BodyOf } from "../../core/control.ts";
import { openId } from "../../core/place.ts";
import { Confirm, FormDialog } from "../../kit/dialog.tsx";
import { areaOf, check, names, select, text } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { showToast } from "../../kit/toast.tsx";
import { readMembers, writeMembers } from "./members.ts";
import { t } from "./words.ts";

const virtualForm = formOf<BodyOf<"POST /api/virtual-model">, VirtualModelView>()(
  [
    text("name", { isRequired: true, hasFocus: true, isHidden: (isNew) => !isNew }),
    areaOf(
      "members",
      { write: writeMembers, read: readMembers },
      { rows: 4, isMono: true, isRequired: true, isFault: (param) => param.startsWith("members") },
    ),
    select("price", () => [
      ["served", t().prices.served],
      ["own", t().prices.own],
    ]),
    select("reply_model", () => [
      ["", t().byGateway],
      ["asked", t().replies.asked],
      ["served", t().replies.served],
    ]),
    select("prefer", () => [["", t().byGroup], ...Object.entries(t().preferences)]),
    names("groups"),
    check("hidden", [false, true]),
  ],
  t,
);

interface EditOptions {
  view: VirtualModelView | null;
  onClose(): void;
}

export function EditVirtual({ view, onClose }: EditOptions) {
  const words = t();
  const forming = useForm(virtualForm, view);
  const save = useAction(async () => {
    // The whole of it is written: what is left out is not kept.
    const { name } = await send("POST /api/virtual-model", { body: forming.body() });
    refresh("/api/virtual-model");
    showToast(t().saved(name));
    onClose();
  });
  return (
    <FormDialog
      title={view?.name ?? words.make}
      submit={view ? words.save : words.make}
      action={save}
      onClose={onClose}
    >
      <FormFields forming={forming} error={save.error} />
    </FormDialog>
  );
}

export function RemoveVirtual({ view, onClose }: { view: VirtualModelView; onClose(): void }) {
  const remove = useAction(async () => {
    await send("DELETE /api/virtual-model", { query: { name: view.name } });
    openId(null);
    refresh("/api/virtual-model");
    showToast(t().wasRemoved(view.name));
  });
  return (
    <Confirm
      title={t().removeTitle(view.name)}
      effect={t().removeEffect}
      submit={t().remove}
      action={remove}
      onClose={onClose}
    />
  );
}
