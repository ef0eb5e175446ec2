// Makes the channels those that the configuration file declares.
import type { ChannelInput } from "../../config/entities.ts";
import type { Seal } from "../../core/seal.ts";
import {
  deleteChannel,
  openOrNull,
  readChannelKeys,
  readChannels,
  writeChannel,
  type ChannelKeyRow,
  type ChannelRow,
} from "../../distribution/queries.ts";
import { configActor, noting } from "../audit/entry.ts";
import { noteOf } from "../channel/note.ts";
import { identityNote } from "../channel/reach.ts";
import { keyTexts, toKeyRows, toRow } from "../channel/row.ts";
import type { DeclaredNeeds } from "./needs.ts";
import { agrees } from "./agrees.ts";

export async function applyChannels(
  needs: DeclaredNeeds,
  channels: readonly ChannelInput[],
): Promise<void> {
  const { database } = needs;
  const rows = new Map((await readChannels(database)).map((row) => [row.name, row]));
  const keys = Map.groupBy(await readChannelKeys(database), (key) => key.channel_id);
  for (const input of channels) {
    const before = rows.get(input.name);
    if (before) await change(needs, input, before, keys.get(before.id) ?? []);
    else await add(needs, input);
    rows.delete(input.name);
  }
  for (const { id, name, declared } of rows.values()) {
    if (declared === 0) continue;
    const note = { action: "channel.remove", target: id, changes: { name } } as const;
    const noted = noting(needs, configActor, note);
    await deleteChannel(noted.store, noted.database, id);
  }
  await needs.reload.channels();
}

const declaredFacts = { declared: 1, author: "config" } as const;

async function add(needs: DeclaredNeeds, input: ChannelInput): Promise<void> {
  const { seal, ids, clock } = needs;
  const id = ids.channel();
  const nowMs = clock.nowMs();
  const moments = { created_at_ms: nowMs, updated_at_ms: nowMs };
  const row = toRow(seal, input, { id, ...declaredFacts, ...moments });
  const keys = toKeyRows(seal, id, keyTexts(input));
  const changes = { ...noteOf(null, row, keys), ...identityNote(input) };
  const note = { action: "channel.create", target: id, changes } as const;
  const { store, database } = noting(needs, configActor, note);
  await writeChannel(store, database, row, keys);
}

async function change(
  needs: DeclaredNeeds,
  input: ChannelInput,
  before: ChannelRow,
  keys: readonly ChannelKeyRow[],
): Promise<void> {
  const { seal, clock } = needs;
  const texts = keyTexts(input);
  const hasSameKeys = areSame(seal, keys, texts);
  const wanted = toRow(seal, input, { ...before, ...declaredFacts });
  if (hasSameKeys && agrees(before, wanted)) return;
  const row = { ...wanted, updated_at_ms: clock.nowMs() };
  const newKeys = hasSameKeys ? null : toKeyRows(seal, row.id, texts);
  const changes = { ...noteOf(before, row, newKeys), ...identityNote(input) };
  const note = { action: "channel.change", target: row.id, changes } as const;
  const { store, database } = noting(needs, configActor, note);
  await writeChannel(store, database, row, newKeys);
}

/** Keys sealed under another secret are written anew. */
function areSame(seal: Seal, keys: readonly ChannelKeyRow[], texts: readonly string[]): boolean {
  return (
    keys.length === texts.length &&
    keys.every(({ sealed, channel_id: id }, at) => openOrNull(seal, sealed, id) === texts[at])
  );
}
