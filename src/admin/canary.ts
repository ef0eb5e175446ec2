// A text that only one secret opens: a node with another one would seal what its fellows cannot
// read, and sign links that they refuse. Rows that have moved to files bring theirs along.
import { ConfigError } from "../config/problems.ts";
import type { Seal } from "../core/seal.ts";
import { findCanary, insertCanary } from "../identity/access/queries.ts";
import type { Database } from "../store/database.ts";

const name = "secret";
const ofNodes =
  "environment SLUICE_SECRET is not the secret that the other nodes of this database have";
const ofFolder =
  "environment SLUICE_SECRET must be the secret that these rows were sealed with before they " +
  "were moved to this data folder";

export async function checkSecret(
  { database, seal }: { database: Database; seal: Seal },
  { isShared }: { isShared: boolean },
): Promise<void> {
  const sealed = await findCanary(database, name);
  if (sealed !== null) {
    if (!opens(seal, sealed)) throw new ConfigError([isShared ? ofNodes : ofFolder]);
  } else if (isShared) await insertCanary(database, name, seal.close(name, name));
}

function opens(seal: Seal, sealed: string): boolean {
  try {
    seal.open(sealed, name);
    return true;
  } catch {
    return false;
  }
}
