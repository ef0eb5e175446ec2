// An API key between the wire and its row.
import type { ApiKeyInput } from "../../config/entities.ts";
import { unixSeconds } from "../../config/fields.ts";
import type { AccountId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { newKeyColumns } from "../../identity/keys/queries.ts";
import type { ApiKeyRow, ListedKey } from "../../identity/queries.ts";
import { digest, shorten } from "../../identity/secrets.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import { toSeconds } from "../input.ts";

/** Fields of a row that the wire decides; the rest is who, when and the text. */
type KeyFields = Pick<
  ApiKeyRow,
  | "name"
  | "group_name"
  | "follows_group"
  | "models"
  | "model_mapping"
  | "allow_ips"
  | "expires_at_ms"
  | "requests_per_minute"
  | "tokens_per_minute"
  | "model_requests_per_minute"
  | "model_tokens_per_minute"
  | "concurrency"
  | "log_content"
>;

export function toFields(input: ApiKeyInput, groupOfAccount: string): KeyFields {
  return {
    name: input.name,
    group_name: input.group ?? groupOfAccount,
    follows_group: input.group === undefined ? 1 : 0,
    models: input.models === undefined ? null : JSON.stringify(input.models),
    model_mapping: recordText(input.model_mapping),
    allow_ips: input.allow_ips === undefined ? null : JSON.stringify(input.allow_ips),
    expires_at_ms: input.expires_at === undefined ? null : unixSeconds(input.expires_at) * 1000,
    requests_per_minute: input.requests_per_minute ?? null,
    tokens_per_minute: input.tokens_per_minute ?? null,
    model_requests_per_minute: recordText(input.model_requests_per_minute),
    model_tokens_per_minute: recordText(input.model_tokens_per_minute),
    concurrency: input.concurrency ?? null,
    log_content: input.log_content === true ? 1 : 0,
  };
}

function recordText(values: JsonObject = {}): string | null {
  return Object.keys(values).length === 0 ? null : JSON.stringify(values);
}

/** Without a quota of its own a key is bounded by its account alone. */
export function limitMicros({ quota_micros: quota }: ApiKeyInput): number | null {
  return quota ?? null;
}

interface NewKey {
  accountId: AccountId;
  fields: KeyFields;
  text: string;
  declared: 0 | 1;
}

export function toNewRow({ ids, clock }: NotingNeeds, key: NewKey): ApiKeyRow {
  return {
    id: ids.key(),
    ...toText(key.text),
    account_id: key.accountId,
    ...key.fields,
    status: "enabled",
    declared: key.declared,
    created_at_ms: clock.nowMs(),
    deleted_at_ms: null,
    ...newKeyColumns,
  };
}

/** All that is kept of a key's text. */
export function toText(text: string): Pick<ApiKeyRow, "hash" | "shown"> {
  return { hash: digest(text), shown: shorten(text) };
}

/** All that can be told of the row. */
export function factsOf(row: ListedKey): JsonObject {
  const { project_name: project, limit_micros: quota, status } = row;
  return { ...toInput(row), ...(project !== null && { project }), quota_micros: quota, status };
}

/** The row in the words of the wire, without its quota. */
export function toInput(row: ListedKey): JsonObject {
  return {
    name: row.name,
    ...(row.follows_group === 0 && { group: row.group_name }),
    ...(row.models !== null && { models: JSON.parse(row.models) }),
    ...(row.model_mapping !== null && { model_mapping: JSON.parse(row.model_mapping) }),
    ...(row.allow_ips !== null && { allow_ips: JSON.parse(row.allow_ips) }),
    ...(row.expires_at_ms !== null && { expires_at: toSeconds(row.expires_at_ms) }),
    ...(row.requests_per_minute !== null && { requests_per_minute: row.requests_per_minute }),
    ...(row.tokens_per_minute !== null && { tokens_per_minute: row.tokens_per_minute }),
    ...(row.model_requests_per_minute !== null && {
      model_requests_per_minute: JSON.parse(row.model_requests_per_minute),
    }),
    ...(row.model_tokens_per_minute !== null && {
      model_tokens_per_minute: JSON.parse(row.model_tokens_per_minute),
    }),
    ...(row.concurrency !== null && { concurrency: row.concurrency }),
    ...(row.log_content === 1 && { log_content: true }),
  };
}
