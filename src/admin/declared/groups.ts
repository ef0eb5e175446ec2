import type { GroupInput } from "../../config/entities.ts";
import { deleteGroup, readGroups, writeGroup } from "../../identity/queries.ts";
import { changesOf } from "../audit/changes.ts";
import { configActor, noting } from "../audit/entry.ts";
import { isGroupNeeded } from "../group/remove.ts";
import { toRow, toView } from "../group/row.ts";
import { reloadGroups, type ControlParts } from "../parts.ts";
import { agrees } from "./agrees.ts";

export async function writeGroups(
  parts: ControlParts,
  groups: readonly GroupInput[],
): Promise<void> {
  const rows = new Map((await readGroups(parts.database)).map((row) => [row.name, row]));
  for (const input of groups) {
    const wanted = toRow(input, 1);
    const before = rows.get(input.name);
    if (before && agrees(before, wanted)) continue;
    const changes = changesOf(before ? toView(before) : null, toView(wanted));
    const note = { action: "group.write", target: input.name, changes } as const;
    await writeGroup(noting(parts, configActor, note).database, wanted);
  }
  await reloadGroups(parts);
}

/** A group that is still in use stays until it is not, rather than locking its members out. */
export async function removeGroups(
  parts: ControlParts,
  groups: readonly GroupInput[],
): Promise<void> {
  const names = new Set(groups.map(({ name }) => name));
  for (const { name, declared } of await readGroups(parts.database)) {
    if (declared === 0 || names.has(name)) continue;
    if (await isGroupNeeded(parts, name)) {
      parts.log.warn("a group is no longer declared but still in use; it stays", { group: name });
    } else {
      const note = { action: "group.remove", target: name } as const;
      await deleteGroup(noting(parts, configActor, note).database, name);
    }
  }
  await reloadGroups(parts);
}
