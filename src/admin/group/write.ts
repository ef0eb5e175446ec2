// Upserts a group.
import type { Operator } from "../../identity/caller.ts";
import type { Groups } from "../../identity/groups.ts";
import { readGroups, writeGroup as writeRow } from "../../identity/groups/queries.ts";
import { changesOf } from "../audit/changes.ts";
import { noting, type NotingNeeds } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import type { Reload } from "../reload.ts";
import type { GroupCalls, GroupView } from "./contract.ts";
import { toRow, toView } from "./row.ts";

export interface GroupNeeds extends NotingNeeds {
  groups: Groups;
  reload: Reload;
}

/** Upsert by name: the whole group is replaced. */
export async function setGroup(
  needs: GroupNeeds,
  operator: Operator,
  { body: input }: InputOf<GroupCalls["write"]>,
): Promise<GroupView> {
  return await exclusively(needs, "identity", async () => {
    const before = (await readGroups(needs.database)).find(({ name }) => name === input.name);
    const row = toRow(input, before?.declared ?? 0);
    const action = "group.write";
    const changes = changesOf(before ? toView(before) : null, toView(row));
    const { database } = noting(needs, operator, { action, target: row.name, changes });
    await writeRow(database, row);
    await needs.reload.groups();
    return toView(row);
  });
}
