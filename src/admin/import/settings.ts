// Groups, prices and channels from elsewhere. What is here already under the same name stays.
import { channelChecker, groupChecker, priceChecker } from "../../config/entity-rules.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { compile, parseWith } from "../../core/schema.ts";
import { readChannels, writesOfChannel } from "../../distribution/queries.ts";
import { defaultGroup } from "../../identity/groups.ts";
import { readGroups, writeOfGroup, type GroupRow } from "../../identity/groups/queries.ts";
import { readPrices, writeOfPrice } from "../../quota/queries.ts";
import { noteOf } from "../channel/note.ts";
import { assertReach, authorOf, identityNote } from "../channel/reach.ts";
import { keyTexts, toKeyRows, toRow as toChannelRow } from "../channel/row.ts";
import { toRow as toGroupRow } from "../group/row.ts";
import { ImportedChannel } from "./contract.ts";
import type { ImportBy, ImportNeeds, ImportOutcome } from "./needs.ts";
import { refused, writeRows } from "./rows.ts";

const importedChannelChecker = compile(ImportedChannel);
const disabledReason = "it was out of use where it came from";

export async function importGroups(
  needs: ImportNeeds,
  by: ImportBy,
  rows: readonly JsonObject[],
): Promise<ImportOutcome[]> {
  const here = new Map((await readGroups(needs.database)).map((row) => [row.name, row]));
  const { outcomes } = await writeRows(needs, by, {
    kind: "groups",
    rows,
    refField: "name",
    make: async (setting) => {
      const row = toGroupRow(parseWith(groupChecker, setting), 0);
      const before = here.get(row.name);
      const isSame = before?.multiplier_ppm === row.multiplier_ppm;
      if (before && !isSame && !isAsMade(before)) {
        throw refused("There is already a group of that name with another multiplier.");
      }
      here.set(row.name, row);
      return {
        id: row.name,
        queries: isSame ? [] : [writeOfGroup(needs.database, row)],
        action: "group.write",
        changes: { multiplier_ppm: row.multiplier_ppm },
      };
    },
  });
  await needs.reload.groups();
  return outcomes;
}

/** The default group as every data folder has it, which nobody has had a say in yet. */
function isAsMade(row: GroupRow): boolean {
  const asMade = toGroupRow({ name: defaultGroup }, 0);
  return JSON.stringify({ ...asMade, ...row }) === JSON.stringify(asMade);
}

export async function importPrices(
  needs: ImportNeeds,
  by: ImportBy,
  rows: readonly JsonObject[],
): Promise<ImportOutcome[]> {
  const here = new Map((await readPrices(needs.database)).map((row) => [row.model, row]));
  const { outcomes } = await writeRows(needs, by, {
    kind: "prices",
    rows,
    refField: "model",
    make: async (setting) => {
      const input = parseWith(priceChecker, setting);
      const { model } = input;
      if (here.has(model)) throw refused("There is already a price of that model.");
      const row = { model, document: JSON.stringify(input), declared: 0 } as const;
      here.set(model, row);
      return {
        id: model,
        queries: [writeOfPrice(needs.database, row)],
        action: "price.write",
        changes: JSON.parse(row.document),
      };
    },
  });
  await needs.reload.prices();
  return outcomes;
}

export async function importChannels(
  needs: ImportNeeds,
  by: ImportBy,
  rows: readonly JsonObject[],
): Promise<ImportOutcome[]> {
  const names = new Set((await readChannels(needs.database)).map(({ name }) => name));
  const { outcomes } = await writeRows(needs, by, {
    kind: "channels",
    rows,
    refField: "ref",
    make: async (setting) => {
      // The words of the rules that a channel meets are better than those of the whole row.
      const input = parseWith(
        channelChecker,
        isObject(setting["channel"]) ? setting["channel"] : {},
      );
      const { disabled_keys: disabled } = parseWith(importedChannelChecker, setting);
      if (names.has(input.name)) throw refused("There is already a channel of that name.");
      names.add(input.name);
      const author = authorOf(by.operator);
      assertReach(input, author);
      const nowMs = needs.clock.nowMs();
      const facts = { declared: 0, author, created_at_ms: nowMs, updated_at_ms: nowMs } as const;
      const row = toChannelRow(needs.seal, input, { id: needs.ids.channel(), ...facts });
      const keys = toKeyRows(needs.seal, row.id, keyTexts(input)).map((key) =>
        disabled.includes(key.position)
          ? { ...key, status: "disabled" as const, reason: disabledReason }
          : key,
      );
      return {
        id: row.id,
        queries: writesOfChannel(needs.database, row, keys),
        action: "channel.create",
        changes: { ...noteOf(null, row, keys), ...identityNote(input) },
      };
    },
  });
  await needs.reload.channels();
  return outcomes;
}
