// Words about a role: those of the gateway's own are the console's, of others what was written.
import type { RoleView } from "../../../src/admin/contract.ts";
import { t } from "./words.ts";

export function aboutOf({ name, description, built_in: isBuiltIn }: RoleView): string {
  const own = Object.entries(t().about).find(([one]) => one === name)?.[1];
  return isBuiltIn && own !== undefined ? own : description;
}
