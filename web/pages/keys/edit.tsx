// Making a key, and changing one.
import { useState } from "preact/hooks";
import type { CreatedKey, KeyView, Listed, ModelView } from "../../../src/admin/contract.ts";
import { call, refresh, useAction, useGet } from "../../core/api.ts";
import { FormDialog, SecretDialog } from "../../kit/dialog.tsx";
import { Snippets } from "../../kit/snippets.tsx";
import { showToast } from "../../kit/toast.tsx";
import { bodyOf, KeyFields, useDraft } from "./form.tsx";

import { t } from "./words.ts";

export function MakeKey({ onClose }: { onClose(): void }) {
  const form = useDraft(null);
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const make = useAction(async () => {
    const { account } = form.draft;
    // Of a new one nothing has to be taken away.
    const set = Object.entries(bodyOf(form.draft)).filter(([, value]) => value !== null);
    const body = { ...Object.fromEntries(set), ...(account !== "" && { account }) };
    setCreated(await call<CreatedKey>("POST", "/api/token", body));
    refresh("/api/token");
  });
  if (created) return <NewKey {...{ created, onClose }} />;
  return (
    <FormDialog
      title={t().makeTitle}
      submit={t().make}
      action={make}
      onSubmit={() => void make.run()}
      onClose={onClose}
    >
      <KeyFields form={form} error={make.error} isNew />
    </FormDialog>
  );
}

function NewKey({ created, onClose }: { created: CreatedKey; onClose(): void }) {
  const { data } = useGet<Listed<ModelView>>("/api/model");
  const model = created.models?.[0] ?? firstText(data?.items ?? [])?.id ?? "MODEL";
  return (
    <SecretDialog title={t().shownTitle} secret={created.key} onClose={onClose}>
      <h3>{t().use}</h3>
      <Snippets secret={created.key} model={model} />
    </SecretDialog>
  );
}

function firstText(models: readonly ModelView[]): ModelView | undefined {
  return models.find(({ endpoints }) => endpoints.includes("chat")) ?? models[0];
}

export function ChangeKey({ view, onClose }: { view: KeyView; onClose(): void }) {
  const form = useDraft(view);
  const change = useAction(async () => {
    await call("PATCH", `/api/token/${view.id}`, bodyOf(form.draft));
    refresh("/api/token");
    showToast(t().changed(form.draft.name));
    onClose();
  });
  return (
    <FormDialog
      title={view.name}
      submit={t().save}
      action={change}
      onSubmit={() => void change.run()}
      onClose={onClose}
    >
      <KeyFields form={form} error={change.error} isNew={false} />
    </FormDialog>
  );
}
