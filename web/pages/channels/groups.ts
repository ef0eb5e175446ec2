// Names of all groups, to choose from.
import { useEvery } from "../../core/lists/every.ts";

export function useGroups(): readonly string[] {
  return useEvery("GET /api/group").rows.map(({ name }) => name);
}
