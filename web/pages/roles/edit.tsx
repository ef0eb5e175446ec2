// Making a role, changing one, and deleting one.
import type { RoleView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, type BodyOf } from "../../core/control.ts";
import { openId } from "../../core/place.ts";
import { Confirm, FormDialog } from "../../kit/dialog.tsx";
import { text } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { showToast } from "../../kit/toast.tsx";
import { permissionsField } from "./field.tsx";
import { t } from "./words.ts";

type RoleBody = BodyOf<"POST /api/role">;

const roleForm = formOf<RoleBody, RoleView>()(
  [
    text("name", {
      isRequired: true,
      hasFocus: true,
      maxLength: 32,
      isShown: (isNew) => isNew,
    }),
    text("description", { maxLength: 200 }),
    permissionsField,
  ],
  t,
);

interface EditOptions {
  view: RoleView | null;
  onClose(): void;
}

export function EditRole({ view, onClose }: EditOptions) {
  const words = t();
  const forming = useForm(roleForm, view);
  const save = useAction(async () => {
    const { name } = view
      ? await send("PATCH /api/role/{id}", { id: view.name, body: forming.changes() })
      : await send("POST /api/role", { body: forming.body() });
    refresh("/api/role");
    showToast(words.saved(name));
    onClose();
    openId(name);
  });
  return (
    <FormDialog
      title={view?.name ?? words.makeTitle}
      submit={view ? words.save : words.make}
      action={save}
      onClose={onClose}
    >
      <FormFields forming={forming} error={save.error} />
      <p class="quiet">{words.ownOnly}</p>
      <p class="quiet">{words.backupIsRoot}</p>
    </FormDialog>
  );
}

export function RemoveRole({ view, onClose }: { view: RoleView; onClose(): void }) {
  const words = t();
  const remove = useAction(async () => {
    await send("DELETE /api/role/{id}", { id: view.name });
    openId(null);
    refresh("/api/role");
    showToast(words.wasRemoved(view.name));
  });
  return (
    <Confirm
      title={words.removeTitle(view.name)}
      effect={words.removeEffect}
      submit={words.remove}
      action={remove}
      onClose={onClose}
    />
  );
}
