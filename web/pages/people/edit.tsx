// Making an account, and changing one.
import { useState } from "preact/hooks";
import type { UserView } from "../../../src/admin/contract.ts";
import { readDollars, readWhole } from "../../core/amounts.ts";
import { call, refresh, useAction } from "../../core/api.ts";
import { openId } from "../../core/place.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { showToast } from "../../kit/toast.tsx";
import { PersonFields, Rates, StartingCredit, useDraft } from "./form.tsx";
import { t } from "./words.ts";

export function MakePerson({ onClose }: { onClose(): void }) {
  const form = useDraft(null);
  const [credit, setCredit] = useState("");
  const make = useAction(async () => {
    const { username, password, group, role } = form.draft;
    const quota = credit.trim() === "" ? {} : { quota_micros: readDollars(credit) ?? credit };
    const body = { username, password, ...(group !== "" && { group }), role, ...quota };
    const created = await call<UserView>("POST", "/api/user", body);
    refresh("/api/user");
    showToast(t().wasMade(created.username));
    onClose();
    openId(created.id);
  });
  return (
    <FormDialog
      title={t().makeTitle}
      submit={t().make}
      action={make}
      onSubmit={() => void make.run()}
      onClose={onClose}
    >
      <PersonFields form={form} error={make.error} isNew />
      <StartingCredit value={credit} onInput={setCredit} error={make.error} />
    </FormDialog>
  );
}

export function ChangePerson({ view, onClose }: { view: UserView; onClose(): void }) {
  const form = useDraft(view);
  const change = useAction(async () => {
    const { username, password, group, role, requests, tokens, concurrency } = form.draft;
    const body = {
      ...(username !== view.username && { username }),
      ...(password !== "" && { password }),
      ...(group !== view.group && { group }),
      ...(role !== view.role && { role }),
      requests_per_minute: numberOf(requests),
      tokens_per_minute: numberOf(tokens),
      concurrency: numberOf(concurrency),
    };
    await call("PATCH", `/api/user/${view.id}`, body);
    refresh("/api/user");
    showToast(t().changed(username));
    onClose();
  });
  return (
    <FormDialog
      title={t().changeTitle(view.username)}
      submit={t().save}
      action={change}
      onSubmit={() => void change.run()}
      onClose={onClose}
    >
      <PersonFields form={form} error={change.error} isNew={false} />
      <Rates form={form} error={change.error} />
    </FormDialog>
  );
}

/** What is no number goes as it is: the gateway says so under the field. */
function numberOf(text: string): number | string | null {
  const value = readWhole(text);
  return value === undefined ? text : value;
}
