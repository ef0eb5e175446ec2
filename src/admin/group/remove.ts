// Deletes a group that nobody is in.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { defaultGroup } from "../../identity/groups.ts";
import { countGroupUses, deleteGroup } from "../../identity/groups/queries.ts";
import type { Database } from "../../store/database.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import type { GroupCalls } from "./contract.ts";
import type { GroupNeeds } from "./write.ts";

/** Members of a group that is gone would be locked out, so it must be empty. */
export async function removeGroup(
  needs: GroupNeeds,
  operator: Operator,
  { name }: { name: string },
): Promise<{ name: string }> {
  return await exclusively(needs, "identity", async () => {
    if (!needs.groups.find(name)) throw new GatewayError("not_found");
    if (await isGroupNeeded(needs.database, name)) {
      throw new GatewayError("conflict", {
        message: "The group cannot be deleted while accounts or keys use it.",
      });
    }
    const { database } = noting(needs, operator, { action: "group.remove", target: name });
    await deleteGroup(database, name);
    await needs.reload.groups();
    return { name };
  });
}

export async function removeNamedGroup(
  needs: GroupNeeds,
  operator: Operator,
  { query }: InputOf<GroupCalls["removeNamed"]>,
): Promise<{ name: string }> {
  return await removeGroup(needs, operator, query);
}

/** The default group is what everything falls back to. */
export async function isGroupNeeded(database: Database, name: string): Promise<boolean> {
  return name === defaultGroup || (await countGroupUses(database, name)) > 0;
}
