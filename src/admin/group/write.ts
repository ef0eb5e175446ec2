import { groupChecker } from "../../config/entity-rules.ts";
import type { JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { Operator } from "../../identity/caller.ts";
import { readGroups, writeGroup as writeRow } from "../../identity/queries.ts";
import type { GroupView } from "../contract.ts";
import { inTurn } from "../in-turn.ts";
import { reloadGroups, type ControlParts } from "../parts.ts";
import { toRow, toView } from "./row.ts";

/** Makes the group, or replaces the one of that name. */
export async function writeGroup(
  parts: ControlParts,
  _operator: Operator,
  body: JsonObject,
): Promise<GroupView> {
  const input = parseWith(groupChecker, body);
  return await inTurn(parts, "identity", async () => {
    const before = (await readGroups(parts.database)).find(({ name }) => name === input.name);
    const row = toRow(input, before?.declared ?? 0);
    await writeRow(parts.database, row);
    await reloadGroups(parts);
    return toView(row);
  });
}
