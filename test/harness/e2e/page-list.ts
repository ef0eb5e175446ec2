// Pages of the console, and whom each is for, as its index says.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtInRoles } from "../../../src/identity/roles/permissions.ts";

export interface ListedPage {
  name: string;
  /** "visitor", "user", or a permission. */
  whom: string;
  /** Organisations have it too. */
  isScoped: boolean;
}

const index = join(import.meta.dir, "../../../web/pages/index.ts");
const entry = /name: "([a-z-]+)",[^}]*?for: "([a-z_.]+)",\s*(seats)?/g;

export function listedPages(): ListedPage[] {
  const text = readFileSync(index, "utf8");
  return Array.from(text.matchAll(entry), ([, name = "", whom = "", seats]) => ({
    name,
    whom,
    isScoped: seats !== undefined,
  }));
}

/** Pages for somebody of a role, or for a visitor, are for each of these. */
export function whomsOf(role: keyof typeof builtInRoles | null): readonly string[] {
  return role === null ? ["visitor"] : ["visitor", "user", ...builtInRoles[role]];
}
