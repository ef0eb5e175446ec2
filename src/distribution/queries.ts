// Channels in the database. Keys, header values and proxies are sealed; what comes out of here
// is for the gateway alone.
import { channelFormats } from "../config/entities.ts";
import type { AccountId, ChannelId } from "../core/ids.ts";
import { credentialFaults, type CredentialUse } from "../core/pass/credential-rules.ts";
import type { VendorFields } from "../core/pass/vendor-fields.ts";
import type { Seal } from "../core/seal.ts";
import { commitTogether, type Database } from "../store/database.ts";
import type { ChannelKeyTable, ChannelTable, OriginTable, Tables } from "../store/schema.ts";
import { TableStep } from "../store/step.ts";
import type { Store } from "../store/store.ts";
import { hasPlainHeaders, openHeaders, sealHeaders } from "./channel-headers.ts";
import type { ChannelSettings } from "./channel.ts";

export type ChannelRow = ChannelTable;
export type ChannelKeyRow = ChannelKeyTable;
export type OriginRow = OriginTable;
export type VirtualModelRow = Tables["virtual_model"];

export async function readChannels(database: Database): Promise<ChannelRow[]> {
  return await database.selectFrom("channel").selectAll().orderBy("name").execute();
}

/** Milestones are reached once and stay so, whatever is removed later. */
export async function isReached(database: Database, milestone: string): Promise<boolean> {
  const milestones = database.selectFrom("milestone").select("name").where("name", "=", milestone);
  return (await milestones.executeTakeFirst()) !== undefined;
}

export async function noteReached(database: Database, milestone: string): Promise<void> {
  await database
    .insertInto("milestone")
    .values({ name: milestone })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function readChannelKeys(database: Database): Promise<ChannelKeyRow[]> {
  return await database
    .selectFrom("channel_key")
    .selectAll()
    .orderBy("channel_id")
    .orderBy("position")
    .execute();
}

export async function findChannel(database: Database, id: ChannelId): Promise<ChannelRow | null> {
  const row = await database
    .selectFrom("channel")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

export async function readKeysOf(database: Database, id: ChannelId): Promise<ChannelKeyRow[]> {
  return await database
    .selectFrom("channel_key")
    .selectAll()
    .where("channel_id", "=", id)
    .orderBy("position")
    .execute();
}

/** One channel with its keys opened, enabled or not. */
export async function readSettingsOf(
  database: Database,
  seal: Seal,
  id: ChannelId,
): Promise<ChannelSettings | null> {
  const row = await findChannel(database, id);
  return row && toSettings(row, await readKeysOf(database, id), seal);
}

/** The enabled channels with their keys opened. */
export async function readSettings(database: Database, seal: Seal): Promise<ChannelSettings[]> {
  const keys = Map.groupBy(await readChannelKeys(database), (key) => key.channel_id);
  const rows = await readChannels(database);
  return rows
    .filter((row) => row.status === "enabled")
    .map((row) => toSettings(row, keys.get(row.id) ?? [], seal));
}

function ratesOf(
  requestsPerMinute: number | null,
  tokensPerMinute: number | null,
): ChannelSettings["rates"] {
  if (requestsPerMinute === null && tokensPerMinute === null) return undefined;
  return { requestsPerMinute, tokensPerMinute };
}

/** `keys` are sealed. */
export function toSettings(
  row: ChannelRow,
  keys: readonly ChannelKeyRow[],
  seal: Seal,
): ChannelSettings {
  const parameters: { set?: ChannelSettings["parametersSet"]; remove?: string[] } = JSON.parse(
    row.parameters,
  );
  const proxy = openProxy(seal, row);
  const headers = openHeaders(seal, row);
  // Without the proxy or the headers that it was meant to take, a channel goes no other way.
  const isCutOff = headers === null || (proxy === null && row.proxy !== null);
  const vendor: VendorFields | undefined = row.vendor === null ? undefined : JSON.parse(row.vendor);
  const opened = keys.map((key) => ({
    ...key,
    text: openOrNull(seal, key.sealed, key.channel_id),
  }));
  const place = {
    baseUrl: row.base_url,
    vendor,
    allowPrivate: row.allow_private === 1,
    author: row.author,
  };
  const fault = faultOf({ ...place, type: row.type, proxy }, opened);
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    format: channelFormats.find((format) => format === row.format) ?? null,
    ...place,
    ...(fault && { fault }),
    models: JSON.parse(row.models),
    groups: JSON.parse(row.groups),
    priority: row.priority,
    weight: row.weight,
    modelMapping: JSON.parse(row.model_mapping),
    parametersSet: parameters.set ?? {},
    parametersRemoved: parameters.remove ?? [],
    headers: headers ?? {},
    dropStore: row.drop_store === 1,
    surcharges: JSON.parse(row.surcharges),
    hiddenPromptTokens: row.hidden_prompt_tokens,
    cost: JSON.parse(row.cost),
    concurrency: row.concurrency,
    rates: ratesOf(row.requests_per_minute, row.tokens_per_minute),
    keyRates: ratesOf(row.key_requests_per_minute, row.key_tokens_per_minute),
    spendPerDayMicros: row.spend_per_day_micros ?? undefined,
    timeouts: {
      firstByteMs: row.first_byte_ms,
      stallMs: row.stall_ms,
      totalMs: row.total_ms,
    },
    transport: { proxy, isHttp2: row.http2 === 1 },
    allowObjects: row.allow_objects === 1,
    allowRouting: row.allow_routing === 1,
    affinity: row.affinity === 1,
    keepsKeys: false,
    keys: opened.map(({ position, status, text }) => {
      const isUsable = text !== null && !isCutOff && fault?.isStopped !== true;
      return { position, text: text ?? "", isEnabled: status === "enabled" && isUsable };
    }),
  };
}

/** A rule that an earlier version did not have: it stops what could send a credential elsewhere. */
function faultOf(
  use: CredentialUse,
  keys: readonly { text: string | null }[],
): ChannelSettings["fault"] | null {
  const faults = credentialFaults(
    use,
    keys.flatMap(({ text }) => text ?? []),
  );
  const leading = faults.find(({ keepsHost }) => keepsHost !== true);
  const fault = leading ?? faults[0];
  if (fault === undefined) return null;
  return { message: `${fault.path} ${fault.message}`, isStopped: leading !== undefined };
}

export function openProxy(
  seal: Seal,
  { id, proxy }: Pick<ChannelRow, "id" | "proxy">,
): string | null {
  return proxy === null ? null : openOrNull(seal, proxy, id);
}

/** A text that was sealed with another secret is as good as none. */
export function openOrNull(seal: Seal, sealed: string, id: ChannelId): string | null {
  try {
    return seal.open(sealed, id);
  } catch {
    return null;
  }
}

/** Seals header values that a version which kept them in clear has written. */
export async function sealPlainHeaders(database: Database, seal: Seal): Promise<void> {
  for (const row of (await readChannels(database)).filter(hasPlainHeaders)) {
    await database
      .updateTable("channel")
      .set({ headers: sealHeaders(seal, openHeaders(seal, row) ?? {}, row) })
      .where("id", "=", row.id)
      .where("headers", "=", row.headers)
      .execute();
  }
}

/** Inserts or replaces a channel; `keys` null leaves its keys as they are. */
export async function writeChannel(
  store: Store,
  database: Database,
  row: ChannelRow,
  keys: readonly ChannelKeyRow[] | null,
): Promise<void> {
  await commitTogether(store, writesOfChannel(database, row, keys));
}

export function writesOfChannel(
  database: Database,
  row: ChannelRow,
  keys: readonly ChannelKeyRow[] | null,
) {
  const { id: _id, created_at_ms: _created, ...changes } = row;
  return [
    database
      .insertInto("channel")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doUpdateSet(changes)),
    ...(keys === null
      ? []
      : [
          database.deleteFrom("channel_key").where("channel_id", "=", row.id),
          ...keys.map((key) => database.insertInto("channel_key").values(key)),
        ]),
  ];
}

export async function deleteChannel(
  store: Store,
  database: Database,
  id: ChannelId,
): Promise<void> {
  await commitTogether(store, deletesOfChannel(database, id));
}

export function deletesOfChannel(database: Database, id: ChannelId) {
  return [
    database.deleteFrom("channel_key").where("channel_id", "=", id),
    database.deleteFrom("channel").where("id", "=", id),
  ];
}

export async function setKeyStatus(
  database: Database,
  key: { channelId: ChannelId; position: number; last4: string },
  status: ChannelKeyRow["status"],
  reason: string | null,
): Promise<void> {
  await database
    .updateTable("channel_key")
    .set({ status, reason })
    .where("channel_id", "=", key.channelId)
    .where("position", "=", key.position)
    .where("last4", "=", key.last4)
    .execute();
}

/** One read, so a database's limit of values in a statement is a limit of digests here. */
export async function findOrigins(
  database: Database,
  accountId: AccountId,
  digests: readonly string[],
): Promise<OriginRow[]> {
  return await database
    .selectFrom("origin")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("digest", "in", digests)
    .execute();
}

export async function readVirtualModels(database: Database): Promise<VirtualModelRow[]> {
  return await database.selectFrom("virtual_model").selectAll().orderBy("name").execute();
}

export async function writeVirtualModel(database: Database, row: VirtualModelRow): Promise<void> {
  const { name: _name, ...changes } = row;
  await database
    .insertInto("virtual_model")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doUpdateSet(changes))
    .execute();
}

export async function deleteVirtualModel(database: Database, name: string): Promise<void> {
  await database.deleteFrom("virtual_model").where("name", "=", name).execute();
}

/** An object that was made again is of its last maker. */
export const originStep = new TableStep({
  list: "origins",
  table: "origin",
  cells: (row) => [
    row.account_id,
    row.digest,
    row.channel_id,
    row.key_digest,
    row.created_at_ms,
    row.model,
    row.asker_id,
  ],
  action: { kind: "replace", key: ["account_id", "digest"] },
});

export async function expireOrigins(database: Database, beforeMs: number): Promise<void> {
  await database.deleteFrom("origin").where("created_at_ms", "<", beforeMs).execute();
}
