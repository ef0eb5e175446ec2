// Makes the database hold what the configuration file declares: what is new is added, what changed
// is changed, what is no longer declared goes. Nothing that was made by hand is touched, unless the
// file declares something of the same name.
import type { Config } from "../config/config.ts";
import { configActor, noteAlone } from "./audit/entry.ts";
import { applyChannels } from "./declared/channels.ts";
import { removeGroups, writeGroups } from "./declared/groups.ts";
import { applyKeys, resolveKeys, type DeclaredKeyMade } from "./declared/keys.ts";
import { applyPrices } from "./declared/prices.ts";
import { inTurn } from "./in-turn.ts";
import type { ControlParts } from "./parts.ts";

export type { DeclaredKeyMade };

/**
 * `made` is told of each key that had no text of its own, once. Without it no such key is made,
 * because nobody would ever see its text.
 */
export async function applyDeclared(
  parts: ControlParts,
  declared: Config["declared"],
  made?: (key: DeclaredKeyMade) => void,
): Promise<void> {
  await inTurn(parts, "identity", async () => {
    // A file that names what is not there is refused before anything is written.
    const keys = await resolveKeys(parts, declared);
    // Keys stand in groups, so groups come before them and go after them.
    await writeGroups(parts, declared.groups);
    await applyKeys(parts, keys, made);
    await removeGroups(parts, declared.groups);
  });
  await inTurn(parts, "prices", () => applyPrices(parts, declared.prices));
  await inTurn(parts, "channels", () => applyChannels(parts, declared.channels));
}

/** The same while the gateway runs: what came of it has entries of its own in the audit log. */
export async function reloadDeclared(
  parts: ControlParts,
  declared: Config["declared"],
  made?: (key: DeclaredKeyMade) => void,
): Promise<void> {
  await applyDeclared(parts, declared, made);
  await noteAlone(parts, configActor, { action: "config.reload", target: "declared" });
}
