// A text that only one secret opens. A node with another one would seal what its fellows cannot
// read, and sign links that they refuse; a gateway with another one would find no vendor's key
// readable, and seal new ones that are lost as soon as the old secret is back.
import { ConfigError } from "../config/problems.ts";
import type { Seal } from "../core/seal.ts";
import { openOrNull, readChannelKeys } from "../distribution/queries.ts";
import { deleteCanary, findCanary, insertCanary } from "../identity/access/queries.ts";
import type { Database } from "../store/database.ts";

export const canaryName = "secret";
/** There while rows are sealed anew, under the new secret: a start needs both then. */
export const nextCanaryName = "next secret";
const ofNodes =
  "environment SLUICE_SECRET is not the secret that the other nodes of this database have";
const ofFolder =
  "environment SLUICE_SECRET must be the secret that these rows were sealed with (or the file " +
  "secret in the data folder, where it was made for you)";
const ofHalf =
  "environment SLUICE_SECRET was being exchanged, so some rows are sealed with the new one and " +
  "some with the old: set it to the new one and SLUICE_SECRET_ALSO to the old, and seal them anew";
const wayOut =
  "Put it back. Where it is lost for good, start once with SLUICE_SECRET_LOST=yes and enter the " +
  "vendors' keys anew";

interface SecretNeeds {
  database: Database;
  seal: Seal;
}

/** Returns how many keys of channels it does not open, of which some other secret is to blame. */
export async function checkSecret(
  needs: SecretNeeds,
  { isShared, isLost }: { isShared: boolean; isLost: boolean },
): Promise<number> {
  const { database, seal } = needs;
  const sealed = await findCanary(database, canaryName);
  const next = await findCanary(database, nextCanaryName);
  const isHalf = next !== null && !opens(seal, next, nextCanaryName);
  const unread = await countUnread(needs);
  const isOther = isHalf || (sealed === null ? unread.isAll : !opens(seal, sealed, canaryName));
  if (isHalf && !isLost) throw new ConfigError([ofHalf]);
  if (isOther && isShared) throw new ConfigError([ofNodes]);
  if (isOther && !isLost) {
    throw new ConfigError([
      `${ofFolder}: ${unread.count} keys of channels cannot be read. ${wayOut}`,
    ]);
  }
  if (sealed !== null && !isOther) return unread.count;
  for (const name of [canaryName, nextCanaryName]) await deleteCanary(database, name);
  await insertCanary(database, canaryName, seal.close(canaryName, canaryName));
  return unread.count;
}

/** Data of before there was such a text is known by its keys. */
async function countUnread({ database, seal }: SecretNeeds) {
  const keys = await readChannelKeys(database);
  const unread = keys.filter((key) => openOrNull(seal, key.sealed, key.channel_id) === null);
  return { count: unread.length, isAll: keys.length > 0 && unread.length === keys.length };
}

function opens(seal: Seal, sealed: string, name: string): boolean {
  try {
    seal.open(sealed, name);
    return true;
  } catch {
    return false;
  }
}
