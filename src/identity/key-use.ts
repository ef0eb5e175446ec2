// The last use of keys: noted in memory, written now and then. What a crash loses is the last
// minute of it, which nobody is charged by.
import type { Database } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { writeKeyUse } from "./keys/queries.ts";

const keysPerCommit = 500;

export class KeyUse {
  readonly #store: Store;
  readonly #database: Database;
  readonly #usedAtMs = new Map<string, number>();

  constructor(store: Store, database: Database) {
    this.#store = store;
    this.#database = database;
  }

  note(keyId: string, atMs: number): void {
    this.#usedAtMs.set(keyId, atMs);
  }

  /** Null where the row says it, or nobody does. */
  lastMs(keyId: string): number | null {
    return this.#usedAtMs.get(keyId) ?? null;
  }

  async write(): Promise<void> {
    const all = [...this.#usedAtMs];
    for (let at = 0; at < all.length; at += keysPerCommit) {
      const uses = all.slice(at, at + keysPerCommit);
      await writeKeyUse(this.#store, this.#database, uses);
      for (const [keyId, atMs] of uses) {
        if (this.#usedAtMs.get(keyId) === atMs) this.#usedAtMs.delete(keyId);
      }
    }
  }
}
