// Making a group, changing one, and deleting one.
import type { GroupView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, type BodyOf } from "../../core/control.ts";
import { openId } from "../../core/place.ts";
import { Confirm, FormDialog } from "../../kit/dialog.tsx";
import { decimal, rates, select, text } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./words.ts";

const groupForm = formOf<BodyOf<"POST /api/group">, GroupView>()(
  [
    text("name", { isRequired: true, hasFocus: true, isHidden: (isNew) => !isNew }),
    select("prefer", () => Object.entries(t().preferences)),
    decimal("multiplier", { isRequired: true, start: "1", wrong: () => t().wrongMultiplier }),
    rates(),
  ],
  t,
);

export function EditGroup({ view, onClose }: { view: GroupView | null; onClose(): void }) {
  const words = t();
  const forming = useForm(groupForm, view);
  const save = useAction(async () => {
    // The whole group is written: a limit that is left out is none.
    const { name } = await send("POST /api/group", { body: forming.body() });
    refresh("/api/group");
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

export function RemoveGroup({ view, onClose }: { view: GroupView; onClose(): void }) {
  const remove = useAction(async () => {
    await send("DELETE /api/group", { query: { name: view.name } });
    openId(null);
    refresh("/api/group");
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
