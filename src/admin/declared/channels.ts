import type { ChannelInput } from "../../config/entities.ts";
import type { Seal } from "../../core/seal.ts";
import {
  deleteChannel,
  readChannelKeys,
  readChannels,
  writeChannel,
  type ChannelKeyRow,
  type ChannelRow,
} from "../../distribution/queries.ts";
import { keyTexts, toKeyRows, toRow } from "../channel/row.ts";
import { reloadChannels, type ControlParts } from "../parts.ts";
import { agrees } from "./agrees.ts";

export async function applyChannels(
  parts: ControlParts,
  channels: readonly ChannelInput[],
): Promise<void> {
  const { store, database } = parts;
  const rows = new Map((await readChannels(database)).map((row) => [row.name, row]));
  const keys = Map.groupBy(await readChannelKeys(database), (key) => key.channel_id);
  for (const input of channels) {
    const before = rows.get(input.name);
    if (before) await change(parts, input, before, keys.get(before.id) ?? []);
    else await add(parts, input);
    rows.delete(input.name);
  }
  for (const { id, declared } of rows.values()) {
    if (declared === 1) await deleteChannel(store, database, id);
  }
  await reloadChannels(parts);
}

async function add(parts: ControlParts, input: ChannelInput): Promise<void> {
  const { store, database, seal, ids, clock } = parts;
  const id = ids.channel();
  const nowMs = clock.nowMs();
  const row = toRow(input, { id, declared: 1, created_at_ms: nowMs, updated_at_ms: nowMs });
  await writeChannel(store, database, row, toKeyRows(seal, id, keyTexts(input)));
}

async function change(
  parts: ControlParts,
  input: ChannelInput,
  before: ChannelRow,
  keys: readonly ChannelKeyRow[],
): Promise<void> {
  const { store, database, seal, clock } = parts;
  const texts = keyTexts(input);
  const hasSameKeys = areSame(seal, keys, texts);
  const wanted = toRow(input, { ...before, declared: 1 });
  if (hasSameKeys && agrees(before, wanted)) return;
  const row = { ...wanted, updated_at_ms: clock.nowMs() };
  await writeChannel(store, database, row, hasSameKeys ? null : toKeyRows(seal, row.id, texts));
}

function areSame(seal: Seal, keys: readonly ChannelKeyRow[], texts: readonly string[]): boolean {
  return (
    keys.length === texts.length &&
    keys.every(({ sealed, channel_id: id }, at) => openOrNull(seal, sealed, id) === texts[at])
  );
}

/** What was sealed under another secret is written anew. */
function openOrNull(seal: Seal, sealed: string, context: string): string | null {
  try {
    return seal.open(sealed, context);
  } catch {
    return null;
  }
}
