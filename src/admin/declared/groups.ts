// Makes the groups those that the configuration file declares.
import type { GroupInput } from "../../config/entities.ts";
import { deleteGroup, readGroups, writeGroup } from "../../identity/groups/queries.ts";
import { changesOf } from "../audit/changes.ts";
import { configActor, noting } from "../audit/entry.ts";
import { isGroupNeeded } from "../group/remove.ts";
import { toRow, toView } from "../group/row.ts";
import type { DeclaredNeeds } from "./needs.ts";
import { agrees } from "./agrees.ts";

export async function writeGroups(
  needs: DeclaredNeeds,
  groups: readonly GroupInput[],
): Promise<void> {
  const rows = new Map((await readGroups(needs.database)).map((row) => [row.name, row]));
  for (const input of groups) {
    const wanted = toRow(input, 1);
    const before = rows.get(input.name);
    if (before && agrees(before, wanted)) continue;
    const changes = changesOf(before ? toView(before) : null, toView(wanted));
    const note = { action: "group.write", target: input.name, changes } as const;
    await writeGroup(noting(needs, configActor, note).database, wanted);
  }
  await needs.reload.groups();
}

/** A group that is still in use stays until it is not, rather than locking its members out. */
export async function removeGroups(
  needs: DeclaredNeeds,
  groups: readonly GroupInput[],
): Promise<void> {
  const names = new Set(groups.map(({ name }) => name));
  for (const { name, declared } of await readGroups(needs.database)) {
    if (declared === 0 || names.has(name)) continue;
    if (await isGroupNeeded(needs.database, name)) {
      needs.log.warn("a group is no longer declared but still in use; it stays", { group: name });
    } else {
      const note = { action: "group.remove", target: name } as const;
      await deleteGroup(noting(needs, configActor, note).database, name);
    }
  }
  await needs.reload.groups();
}
