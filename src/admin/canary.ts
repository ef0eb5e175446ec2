// A text that only one secret opens: a node with another one would seal what its fellows cannot
// read, and sign links that they refuse.
import { ConfigError } from "../config/problems.ts";
import type { Seal } from "../core/seal.ts";
import { findCanary, insertCanary } from "../identity/access/queries.ts";
import type { Database } from "../store/database.ts";

const name = "secret";

export async function checkSecret({ database, seal }: { database: Database; seal: Seal }) {
  const sealed = await findCanary(database, name);
  if (sealed === null) return await insertCanary(database, name, seal.close(name, name));
  try {
    seal.open(sealed, name);
  } catch {
    throw new ConfigError([
      "environment SLUICE_SECRET is not the secret that the other nodes of this database have",
    ]);
  }
}
