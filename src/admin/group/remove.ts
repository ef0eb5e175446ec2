import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { defaultGroup } from "../../identity/groups.ts";
import { countGroupUses, deleteGroup } from "../../identity/queries.ts";
import { noting } from "../audit/entry.ts";
import { inTurn } from "../in-turn.ts";
import { reloadGroups, type ControlParts } from "../parts.ts";

/** Whoever is in a group that is gone would be locked out, so it must be empty. */
export async function removeGroup(
  parts: ControlParts,
  operator: Operator,
  { name }: { name: string },
): Promise<{ name: string }> {
  return await inTurn(parts, "identity", async () => {
    if (!parts.groups.find(name)) throw new GatewayError("not_found");
    if (await isGroupNeeded(parts, name)) {
      throw new GatewayError("conflict", {
        message: "The group cannot be deleted while accounts or keys use it.",
      });
    }
    const { database } = noting(parts, operator, { action: "group.remove", target: name });
    await deleteGroup(database, name);
    await reloadGroups(parts);
    return { name };
  });
}

/** The default group is what everything falls back to. */
export async function isGroupNeeded({ database }: ControlParts, name: string): Promise<boolean> {
  return name === defaultGroup || (await countGroupUses(database, name)) > 0;
}
