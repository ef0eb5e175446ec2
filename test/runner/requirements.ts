// Finds what groups of tests need on this machine. Only `npm run test:all` installs it.
import { findChromium, findInstalledChromium } from "../harness/chromium.ts";
import { findInstalled, findPostgres } from "../harness/postgres/find.ts";
import type { Requirement } from "./plan.ts";

type ExternalRequirement = Exclude<Requirement, "program">;

/** Each names, in a sentence, why it is missing; or null. */
type Finder = (isInstalling: boolean) => Promise<string | null>;

const finders: Readonly<Record<ExternalRequirement, Finder>> = {
  async chromium(isInstalling) {
    const found = isInstalling ? await findChromium() : findInstalledChromium();
    return reasonOf(found, "There is no Chromium");
  },
  async postgres(isInstalling) {
    const found = isInstalling ? await findPostgres() : findInstalled();
    return reasonOf(found, "There is no PostgreSQL");
  },
};

/** Reasons why something that is needed is missing; what is there has none. */
export async function findMissing(
  needed: ReadonlySet<Requirement>,
  isInstalling: boolean,
): Promise<Map<Requirement, string>> {
  const missing = new Map<Requirement, string>();
  for (const requirement of ["chromium", "postgres"] as const) {
    if (!needed.has(requirement)) continue;
    const reason = await finders[requirement](isInstalling);
    if (reason !== null) missing.set(requirement, reason);
  }
  return missing;
}

function reasonOf(found: object | null, problem: string): string | null {
  if (found === null) return `${problem}; npm run test:all installs it, as root.`;
  return "missing" in found ? `${problem}: ${String(found.missing)}.` : null;
}
