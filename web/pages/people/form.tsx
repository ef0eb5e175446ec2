// The fields of an account.
import { useState } from "preact/hooks";
import type { GroupView, Listed, Role, UserView } from "../../../src/admin/contract.ts";
import { useGet, type ApiError } from "../../core/api.ts";
import { isRoot } from "../../core/session.ts";
import { faultOf, PasswordField, Select, TextField } from "../../kit/field.tsx";
import { t } from "./words.ts";

interface Draft {
  username: string;
  password: string;
  group: string;
  role: Role;
  requests: string;
  tokens: string;
  concurrency: string;
}

export function useDraft(view: UserView | null) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(view));
  const set = (name: keyof Draft) => (value: string) => setDraft({ ...draft, [name]: value });
  return { draft, set };
}

function draftOf(view: UserView | null): Draft {
  const rate = (value: number | null | undefined) => String(value ?? "");
  return {
    username: view?.username ?? "",
    password: "",
    group: view?.group ?? "",
    role: view?.role ?? "user",
    requests: rate(view?.requests_per_minute),
    tokens: rate(view?.tokens_per_minute),
    concurrency: rate(view?.concurrency),
  };
}

interface FieldsOptions {
  form: ReturnType<typeof useDraft>;
  error: ApiError | null;
}

export function PersonFields({ form, error, isNew }: FieldsOptions & { isNew: boolean }) {
  const words = t();
  const { draft, set } = form;
  return (
    <>
      <TextField
        label={words.name}
        hint={isNew ? words.nameHint : undefined}
        value={draft.username}
        onInput={set("username")}
        fault={faultOf(error, "username")}
        maxLength={64}
        isRequired
        hasFocus
      />
      <PasswordField
        label={isNew ? words.password : words.newPassword}
        hint={isNew ? words.passwordHint : words.newPasswordHint}
        value={draft.password}
        onInput={set("password")}
        fault={faultOf(error, "password")}
        autoComplete="new-password"
        isRequired={isNew}
      />
      <div class="pair">
        <GroupField {...{ form, error, isNew }} />
        <RoleField {...{ form, error }} />
      </div>
    </>
  );
}

function GroupField({ form: { draft, set }, error, isNew }: FieldsOptions & { isNew: boolean }) {
  const { data } = useGet<Listed<GroupView>>("/api/group?page_size=100");
  const names = new Set([draft.group, ...(data?.items ?? []).map(({ name }) => name)]);
  names.delete("");
  const known = [...names].map((name) => [name, name] as const);
  return (
    <Select<string>
      label={t().group}
      value={draft.group}
      options={isNew ? [["", t().usualGroup], ...known] : known}
      onChange={set("group")}
      fault={faultOf(error, "group")}
    />
  );
}

/** Only root makes admins. */
function RoleField({ form: { draft, set }, error }: FieldsOptions) {
  if (!isRoot()) return null;
  const { roles } = t();
  return (
    <Select<Role>
      label={t().role}
      value={draft.role}
      options={[
        ["user", roles.user],
        ["admin", roles.admin],
        ["root", roles.root],
      ]}
      onChange={set("role")}
      fault={faultOf(error, "role")}
    />
  );
}

interface CreditOptions {
  value: string;
  onInput(value: string): void;
  error: ApiError | null;
}

export function StartingCredit({ value, onInput, error }: CreditOptions) {
  return (
    <TextField
      label={t().startingCredit}
      hint={t().startingHint}
      before="$"
      inputMode="decimal"
      value={value}
      onInput={onInput}
      fault={faultOf(error, "quota_micros") && t().wrongAmount}
    />
  );
}

export function Rates({ form: { draft, set }, error }: FieldsOptions) {
  const words = t();
  const field = (name: "requests" | "tokens" | "concurrency", param: string) => (
    <TextField
      label={words[name]}
      inputMode="numeric"
      placeholder={words.noLimit}
      value={draft[name]}
      onInput={set(name)}
      fault={faultOf(error, param) && words.wrongNumber}
    />
  );
  return (
    <div class="pair">
      {field("requests", "requests_per_minute")}
      {field("tokens", "tokens_per_minute")}
      {field("concurrency", "concurrency")}
    </div>
  );
}
