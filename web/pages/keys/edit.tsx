// Making a key, changing one, and giving it another secret.
import { useState } from "preact/hooks";
import type { CreatedKey, KeyView, ModelView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, useAnswer } from "../../core/control.ts";
import { FormDialog, SecretDialog } from "../../kit/dialog.tsx";
import { Select } from "../../kit/field.tsx";
import { FormFields, useForm } from "../../kit/form.tsx";
import { Snippets } from "../../kit/snippets.tsx";
import { showToast } from "../../kit/toast.tsx";
import { keyForm } from "./form.tsx";
import { t } from "./words.ts";

export function MakeKey({ onClose }: { onClose(): void }) {
  const forming = useForm(keyForm, null);
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const make = useAction(async () => {
    setCreated(await send("POST /api/token", { body: forming.body() }));
    refresh("/api/token");
  });
  if (created) return <NewKey {...{ created, onClose }} />;
  return (
    <FormDialog title={t().makeTitle} submit={t().make} action={make} onClose={onClose}>
      <FormFields forming={forming} error={make.error} />
    </FormDialog>
  );
}

function NewKey({ created, onClose }: { created: CreatedKey; onClose(): void }) {
  const { data } = useAnswer("GET /api/model", { query: { kind: "text", page_size: 100 } });
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

const overlaps = ["0", "3600", "86400", "604800"] as const;
type Overlap = (typeof overlaps)[number];

export function RotateKey({ view, onClose }: { view: KeyView; onClose(): void }) {
  const [overlap, setOverlap] = useState<Overlap>("0");
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const rotate = useAction(async () => {
    const body = { overlap_seconds: Number(overlap) };
    setCreated(await send("POST /api/token/{id}/rotate", { id: view.id, body }));
    refresh("/api/token");
  });
  if (created) return <NewKey {...{ created, onClose }} />;
  return (
    <FormDialog
      title={t().rotateTitle(view.name)}
      submit={t().rotate}
      action={rotate}
      isDanger
      onClose={onClose}
    >
      <p class="quiet wrap">{t().rotateEffect}</p>
      <Select<Overlap>
        label={t().overlap}
        value={overlap}
        options={overlaps.map((one) => [one, t().overlaps[one]])}
        onChange={setOverlap}
      />
    </FormDialog>
  );
}

export function ChangeKey({ view, onClose }: { view: KeyView; onClose(): void }) {
  const forming = useForm(keyForm, view);
  const change = useAction(async () => {
    const body = forming.changes();
    const { name } = await send("PATCH /api/token/{id}", { id: view.id, body });
    refresh("/api/token");
    showToast(t().changed(name));
    onClose();
  });
  return (
    <FormDialog title={view.name} submit={t().save} action={change} onClose={onClose}>
      <FormFields forming={forming} error={change.error} />
    </FormDialog>
  );
}
