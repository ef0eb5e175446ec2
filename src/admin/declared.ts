// Makes the database hold what the configuration file declares: what is new is added, what changed
// is changed, what is no longer declared goes. Nothing that was made by hand is touched, unless the
// file declares something of the same name.
import type { Config } from "../config/config.ts";
import { configActor, noteAlone } from "./audit/entry.ts";
import { applyBudgets } from "./declared/budgets.ts";
import { applyChannels } from "./declared/channels.ts";
import { removeGroups, writeGroups } from "./declared/groups.ts";
import { applyKeys, resolveKeys, type DeclaredKeyMade } from "./declared/keys.ts";
import { applyPrices } from "./declared/prices.ts";
import { applyVirtualModels } from "./declared/virtual-models.ts";
import type { Operator } from "../identity/caller.ts";
import { exclusively } from "./exclusively.ts";
import type { DeclaredNeeds } from "./declared/needs.ts";

export type { DeclaredKeyMade };

/**
 * `made` is told of each key that had no text of its own, once. Without it no such key is made,
 * because nobody would ever see its text. `known` is what was declared before.
 */
export async function applyDeclared(
  needs: DeclaredNeeds,
  declared: Config["declared"],
  onKeyMade?: (key: DeclaredKeyMade) => void,
  known: Config["declared"] = declared,
): Promise<void> {
  await exclusively(needs, "identity", async () => {
    // A file that names what was never there is refused before anything is written.
    const keys = await resolveKeys(needs, declared, known.keys);
    // Keys stand in groups, so groups come before them and go after them.
    await writeGroups(needs, declared.groups);
    await applyKeys(needs, keys, onKeyMade);
    await removeGroups(needs, declared.groups);
  });
  await exclusively(needs, "prices", () => applyPrices(needs, declared.prices));
  await exclusively(needs, "channels", () => applyChannels(needs, declared.channels));
  await exclusively(needs, "virtual models", () => applyVirtualModels(needs, declared.models));
  const { budgets } = declared;
  await exclusively(needs, "budgets", () => applyBudgets(needs, budgets, known.budgets));
}

interface Redeclared {
  declared: Config["declared"];
  /** Declarations before this reload. */
  known: Config["declared"];
  /** Operator who asked for the reload; null for a signal. */
  by: Operator | null;
}

/** The same while the gateway runs: what came of it has entries of its own in the audit log. */
export async function reloadDeclared(
  needs: DeclaredNeeds,
  { declared, known, by }: Redeclared,
  onKeyMade?: (key: DeclaredKeyMade) => void,
): Promise<void> {
  await applyDeclared(needs, declared, onKeyMade, known);
  await noteAlone(needs, by ?? configActor, { action: "config.reload", target: "declared" });
}
