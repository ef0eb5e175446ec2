// The fields of a key, for a new one and for one that is there. An empty field is a limit that is
// not set.
import { useState } from "preact/hooks";
import type { KeyView } from "../../../src/admin/contract.ts";
import {
  readDollars,
  readMoment,
  readNames,
  readWhole,
  writeDollars,
  writeMoment,
} from "../../core/amounts.ts";
import type { ApiError } from "../../core/api.ts";
import { isAdmin } from "../../core/session.ts";
import { faultOf, TextArea, TextField } from "../../kit/field.tsx";
import { t } from "./words.ts";

const empty = {
  name: "",
  account: "",
  group: "",
  limit: "",
  models: "",
  expires: "",
  ips: "",
  requests: "",
  tokens: "",
  concurrency: "",
};
export type KeyDraft = typeof empty;

export function useDraft(view: KeyView | null) {
  const [draft, setDraft] = useState<KeyDraft>(() => (view ? draftOf(view) : empty));
  const set = (name: keyof KeyDraft) => (value: string) =>
    setDraft((old) => ({ ...old, [name]: value }));
  return { draft, set };
}

function draftOf(view: KeyView): KeyDraft {
  const number = (value: number | null) => (value === null ? "" : String(value));
  return {
    name: view.name,
    account: view.account,
    group: view.group_is_own ? view.group : "",
    limit: view.quota_micros === null ? "" : writeDollars(view.quota_micros),
    models: view.models?.join("\n") ?? "",
    expires: view.expires_at === null ? "" : writeMoment(view.expires_at),
    ips: view.allow_ips?.join("\n") ?? "",
    requests: number(view.requests_per_minute),
    tokens: number(view.tokens_per_minute),
    concurrency: number(view.concurrency),
  };
}

/** What the API takes; null takes a limit away. A field that is wrong stays as it was typed. */
export function bodyOf(draft: KeyDraft): Record<string, unknown> {
  const [models, ips] = [readNames(draft.models), readNames(draft.ips)];
  const limit = draft.limit.trim() === "" ? null : (readDollars(draft.limit) ?? draft.limit);
  return {
    name: draft.name.trim(),
    group: draft.group.trim() || null,
    ...(limit === null ? { unlimited: true } : { quota_micros: limit }),
    models: models.length > 0 ? models : null,
    expires_at: draft.expires === "" ? null : readMoment(draft.expires),
    allow_ips: ips.length > 0 ? ips : null,
    requests_per_minute: numberOf(draft.requests),
    tokens_per_minute: numberOf(draft.tokens),
    concurrency: numberOf(draft.concurrency),
  };
}

function numberOf(text: string): number | string | null {
  const value = readWhole(text);
  return value === undefined ? text : value;
}

interface FieldsOptions {
  form: ReturnType<typeof useDraft>;
  error: ApiError | null;
  isNew: boolean;
}

export function KeyFields({ form, error, isNew }: FieldsOptions) {
  const words = t();
  const { draft, set } = form;
  return (
    <>
      <TextField
        label={words.name}
        hint={words.nameHint}
        value={draft.name}
        onInput={set("name")}
        fault={faultOf(error, "name")}
        maxLength={64}
        isRequired
        hasFocus
      />
      {isNew && isAdmin() && (
        <TextField
          label={words.account}
          hint={words.accountHint}
          value={draft.account}
          onInput={set("account")}
          fault={faultOf(error, "account")}
        />
      )}
      <TextField
        label={words.limit}
        hint={words.limitHint}
        before="$"
        inputMode="decimal"
        value={draft.limit}
        onInput={set("limit")}
        fault={faultOf(error, "quota_micros") && words.wrongAmount}
      />
      <Limits {...{ form, error, isNew }} />
    </>
  );
}

function Limits({ form: { draft, set }, error, isNew }: FieldsOptions) {
  const words = t();
  return (
    <details open={!isNew}>
      <summary>{words.more}</summary>
      <div class="stack">
        <TextField
          label={words.group}
          hint={words.groupHint}
          value={draft.group}
          onInput={set("group")}
          fault={faultOf(error, "group")}
        />
        <TextField
          label={words.expires}
          hint={words.expiresHint}
          type="datetime-local"
          value={draft.expires}
          onInput={set("expires")}
          fault={faultOf(error, "expires_at")}
        />
        <TextArea
          label={words.models}
          hint={words.modelsHint}
          rows={2}
          isMono
          value={draft.models}
          onInput={set("models")}
          fault={faultOf(error, "models")}
        />
        <TextArea
          label={words.ips}
          hint={words.ipsHint}
          rows={2}
          isMono
          value={draft.ips}
          onInput={set("ips")}
          fault={faultOf(error, "allow_ips")}
        />
        <Rates {...{ form: { draft, set }, error }} />
      </div>
    </details>
  );
}

function Rates({ form: { draft, set }, error }: Omit<FieldsOptions, "isNew">) {
  const words = t();
  return (
    <div class="pair">
      <TextField
        label={words.requests}
        inputMode="numeric"
        value={draft.requests}
        onInput={set("requests")}
        fault={faultOf(error, "requests_per_minute") && words.wrongNumber}
      />
      <TextField
        label={words.tokens}
        inputMode="numeric"
        value={draft.tokens}
        onInput={set("tokens")}
        fault={faultOf(error, "tokens_per_minute") && words.wrongNumber}
      />
      <TextField
        label={words.concurrency}
        inputMode="numeric"
        value={draft.concurrency}
        onInput={set("concurrency")}
        fault={faultOf(error, "concurrency") && words.wrongNumber}
      />
    </div>
  );
}
