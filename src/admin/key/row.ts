// An API key between the wire and its row.
import type { ApiKeyInput } from "../../config/entities.ts";
import { unixSeconds } from "../../config/fields.ts";
import type { AccountId } from "../../core/ids.ts";
import { withoutNulls, type JsonObject } from "../../core/json.ts";
import { newKeyColumns } from "../../identity/keys/queries.ts";
import type { ApiKeyRow, ListedKey } from "../../identity/queries.ts";
import { digest, shorten } from "../../identity/secrets.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import { toSecondsOrNull, type InputFields } from "../input.ts";

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

/** Fields as they are written, where null stands for what is not set. */
type KeyWords = Pick<ApiKeyInput, "name"> & {
  [Field in keyof ApiKeyInput]?: ApiKeyInput[Field] | null;
};

export function toFields(words: KeyWords, groupOfAccount: string): KeyFields {
  return {
    name: words.name,
    group_name: words.group ?? groupOfAccount,
    follows_group: (words.group ?? null) === null ? 1 : 0,
    models: listText(words.models),
    model_mapping: recordText(words.model_mapping),
    allow_ips: listText(words.allow_ips),
    expires_at_ms: momentMs(words.expires_at),
    requests_per_minute: words.requests_per_minute ?? null,
    tokens_per_minute: words.tokens_per_minute ?? null,
    model_requests_per_minute: recordText(words.model_requests_per_minute),
    model_tokens_per_minute: recordText(words.model_tokens_per_minute),
    concurrency: words.concurrency ?? null,
    log_content: words.log_content === true ? 1 : 0,
  };
}

function listText(values: readonly string[] | null = null): string | null {
  return values && JSON.stringify(values);
}

function momentMs(moment: ApiKeyInput["expires_at"] | null = null): number | null {
  return moment === null ? null : unixSeconds(moment) * 1000;
}

function recordText(values: JsonObject | null = null): string | null {
  return values && Object.keys(values).length > 0 ? JSON.stringify(values) : null;
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

/** The row in the words of the wire, without its quota; what is not set is left out. */
export function toInput(row: ListedKey): JsonObject {
  const group = row.follows_group === 1 ? null : row.group_name;
  const { log_content: isKept, ...shown } = toShown(row);
  return withoutNulls({
    name: row.name,
    group,
    ...shown,
    log_content: isKept || null,
  } satisfies InputFields<ApiKeyInput, "quota_micros" | "unlimited">);
}

/** Fields of a row that are shown as they are written. */
export function toShown(row: ListedKey) {
  return {
    models: parsed(row.models),
    model_mapping: parsed(row.model_mapping),
    expires_at: toSecondsOrNull(row.expires_at_ms),
    allow_ips: parsed(row.allow_ips),
    requests_per_minute: row.requests_per_minute,
    tokens_per_minute: row.tokens_per_minute,
    model_requests_per_minute: parsed(row.model_requests_per_minute),
    model_tokens_per_minute: parsed(row.model_tokens_per_minute),
    concurrency: row.concurrency,
    log_content: row.log_content === 1,
  };
}

function parsed(text: string | null) {
  return text === null ? null : JSON.parse(text);
}
