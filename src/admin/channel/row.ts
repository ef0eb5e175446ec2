// A channel between the wire and its rows.
import { channelDefaults, type ChannelInput } from "../../config/entities.ts";
import { isCloud } from "../../config/cloud/rules.ts";
import type { ChannelId } from "../../core/ids.ts";
import { withoutNulls, type JsonObject } from "../../core/json.ts";
import { plainCredential } from "../../core/pass/credential.ts";
import type { Seal } from "../../core/seal.ts";
import { sealHeaders } from "../../distribution/channel-headers.ts";
import { lastFour } from "../../distribution/channel.ts";
import type { InputFields } from "../input.ts";
import { openProxy, type ChannelKeyRow, type ChannelRow } from "../../distribution/queries.ts";

/** `proxy` and `headers` are the sealed ones of the row that is replaced. */
type RowFacts = Pick<ChannelRow, "id" | "declared" | "author" | "created_at_ms" | "updated_at_ms"> &
  Partial<Pick<ChannelRow, "proxy" | "headers">>;

/** A channel as it is written; one of the sandbox's may be of a type that is not offered. */
type ChannelWords = Omit<ChannelInput, "type"> & Pick<ChannelRow, "type">;

export function toRow(seal: Seal, input: ChannelWords, facts: RowFacts): ChannelRow {
  const { id, headers = "{}" } = facts;
  return {
    ...facts,
    name: input.name,
    type: input.type,
    format: input.format ?? null,
    base_url: input.base_url,
    vendor: input.vendor === undefined ? null : JSON.stringify(input.vendor),
    models: JSON.stringify(input.models),
    groups: JSON.stringify(input.groups ?? channelDefaults.groups),
    priority: input.priority ?? channelDefaults.priority,
    weight: input.weight ?? channelDefaults.weight,
    model_mapping: JSON.stringify(input.model_mapping ?? {}),
    parameters: JSON.stringify(input.parameters ?? {}),
    headers: sealHeaders(seal, lowerNames(input.headers ?? {}), { id, headers }),
    surcharges: JSON.stringify(input.surcharges ?? {}),
    drop_store: input.drop_store === true ? 1 : 0,
    allow_private: input.allow_private === true ? 1 : 0,
    allow_objects: input.allow_objects === true ? 1 : 0,
    hidden_prompt_tokens: input.hidden_prompt_tokens ?? channelDefaults.hiddenPromptTokens,
    allow_routing: input.allow_routing === true ? 1 : 0,
    affinity: (input.affinity ?? channelDefaults.affinity) ? 1 : 0,
    cost: JSON.stringify(input.cost ?? {}),
    proxy: sealProxy(seal, input.proxy ?? null, facts),
    http2: input.http2 === true ? 1 : 0,
    concurrency: input.concurrency ?? null,
    requests_per_minute: input.requests_per_minute ?? null,
    tokens_per_minute: input.tokens_per_minute ?? null,
    key_requests_per_minute: input.key_requests_per_minute ?? null,
    key_tokens_per_minute: input.key_tokens_per_minute ?? null,
    spend_per_day_micros: input.spend_per_day_micros ?? null,
    first_byte_ms: input.first_byte_ms ?? null,
    stall_ms: input.stall_ms ?? null,
    total_ms: input.total_ms ?? null,
    status: input.status ?? channelDefaults.status,
  };
}

/** An unchanged proxy stays as it was sealed, so that an unchanged row is the same row. */
function sealProxy(seal: Seal, text: string | null, { id, proxy = null }: RowFacts): string | null {
  if (text === null) return null;
  return text === openProxy(seal, { id, proxy }) ? proxy : seal.close(text, id);
}

/** Two spellings of one header would be sent as one with both values. */
function lowerNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

type HiddenField = "key" | "keys" | "headers" | "proxy";

/** The row in the words of the wire, without keys, headers and proxy, which never come back. */
export function toInput(row: ChannelRow): JsonObject {
  return withoutNulls(toShown(row) satisfies InputFields<ChannelInput, HiddenField>);
}

/** Fields of a row that are shown as they are written; null where one is not set. */
export function toShown(row: ChannelRow) {
  return {
    name: row.name,
    type: row.type,
    format: row.format,
    base_url: row.base_url,
    vendor: row.vendor === null ? null : JSON.parse(row.vendor),
    models: JSON.parse(row.models),
    groups: JSON.parse(row.groups),
    priority: row.priority,
    weight: row.weight,
    model_mapping: JSON.parse(row.model_mapping),
    parameters: JSON.parse(row.parameters),
    surcharges: JSON.parse(row.surcharges),
    drop_store: row.drop_store === 1,
    allow_private: row.allow_private === 1,
    allow_objects: row.allow_objects === 1,
    hidden_prompt_tokens: row.hidden_prompt_tokens,
    allow_routing: row.allow_routing === 1,
    affinity: row.affinity === 1,
    cost: JSON.parse(row.cost),
    http2: row.http2 === 1,
    concurrency: row.concurrency,
    requests_per_minute: row.requests_per_minute,
    tokens_per_minute: row.tokens_per_minute,
    key_requests_per_minute: row.key_requests_per_minute,
    key_tokens_per_minute: row.key_tokens_per_minute,
    spend_per_day_micros: row.spend_per_day_micros,
    first_byte_ms: row.first_byte_ms,
    stall_ms: row.stall_ms,
    total_ms: row.total_ms,
    status: row.status,
  };
}

export function keyTexts({
  type,
  key,
  keys,
}: Pick<ChannelInput, "type" | "key" | "keys">): string[] {
  const texts = keys ?? (key === undefined ? [] : [key]);
  return isCloud(type) ? texts.map(plainCredential) : texts;
}

/** New keys are enabled, whatever became of those they replace. */
export function toKeyRows(seal: Seal, id: ChannelId, texts: readonly string[]): ChannelKeyRow[] {
  return texts.map((text, position) => ({
    channel_id: id,
    position,
    sealed: seal.close(text, id),
    last4: lastFour(text),
    status: "enabled",
    reason: null,
  }));
}
