// Making an account, and changing one.
import type { UserView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { openId } from "../../core/place.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { FormFields, useForm } from "../../kit/form.tsx";
import { showToast } from "../../kit/toast.tsx";
import { personForm } from "./form.tsx";
import { t } from "./words.ts";

export function MakePerson({ onClose }: { onClose(): void }) {
  const forming = useForm(personForm, null);
  const make = useAction(async () => {
    const created = await send("POST /api/user", { body: forming.body() });
    refresh("/api/user");
    showToast(t().wasMade(created.username));
    onClose();
    openId(created.id);
  });
  return (
    <FormDialog title={t().makeTitle} submit={t().make} action={make} onClose={onClose}>
      <FormFields forming={forming} error={make.error} />
    </FormDialog>
  );
}

export function ChangePerson({ view, onClose }: { view: UserView; onClose(): void }) {
  const forming = useForm(personForm, view);
  const change = useAction(async () => {
    const { username } = await send("PATCH /api/user/{id}", {
      id: view.id,
      body: forming.changes(),
    });
    refresh("/api/user");
    showToast(t().changed(username));
    onClose();
  });
  return (
    <FormDialog
      title={t().changeTitle(view.username)}
      submit={t().save}
      action={change}
      onClose={onClose}
    >
      <FormFields forming={forming} error={change.error} />
    </FormDialog>
  );
}
