// Names of all groups, to choose from.
import { useAnswer } from "../../core/control.ts";

export function useGroups(): readonly string[] {
  const { data } = useAnswer("GET /api/group", { query: { page_size: 100 } });
  return data?.items.map(({ name }) => name) ?? [];
}
