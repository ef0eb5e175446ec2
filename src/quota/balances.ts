// The balances that admission works on: loaded from the store once, then kept and moved in memory.
import type { AccountId, KeyId } from "../core/ids.ts";
import type { Row, Store } from "../store/store.ts";
import type { AccountBalance, KeyBalance } from "./ledger.ts";
import { readAccountBalance, readKeyBalance } from "./queries.ts";

export class Balances {
  readonly #store: Store;
  readonly #accounts = new Map<AccountId, Promise<AccountBalance | null>>();
  readonly #keys = new Map<KeyId, Promise<KeyBalance | null>>();

  constructor(store: Store) {
    this.#store = store;
  }

  account(id: AccountId): Promise<AccountBalance | null> {
    return once(this.#accounts, id, async () => {
      const [row] = await this.#store.read({ sql: readAccountBalance, parameters: [id] });
      return row ? toAccount(id, row) : null;
    });
  }

  key(id: KeyId): Promise<KeyBalance | null> {
    return once(this.#keys, id, async () => {
      const [row] = await this.#store.read({ sql: readKeyBalance, parameters: [id] });
      return row ? toKey(id, row) : null;
    });
  }
}

/** One load however many ask at once: two copies of a balance would spend the money twice. */
function once<Id, Value>(
  known: Map<Id, Promise<Value | null>>,
  id: Id,
  load: () => Promise<Value | null>,
): Promise<Value | null> {
  const present = known.get(id);
  if (present) return present;
  const loading = load().then(
    (value) => {
      if (value === null) known.delete(id);
      return value;
    },
    (error: unknown) => {
      known.delete(id);
      throw error;
    },
  );
  known.set(id, loading);
  return loading;
}

function toAccount(id: AccountId, row: Row): AccountBalance {
  return {
    id,
    unlimited: row["unlimited"] === 1,
    grantedMicros: Number(row["granted_micros"]),
    availableMicros: Number(row["available_micros"]),
    heldMicros: Number(row["held_micros"]),
    spentMicros: Number(row["spent_micros"]),
  };
}

function toKey(id: KeyId, row: Row): KeyBalance {
  const limit = row["limit_micros"];
  return {
    id,
    accountId: String(row["account_id"]) as AccountId,
    limitMicros: limit === null || limit === undefined ? null : Number(limit),
    heldMicros: Number(row["held_micros"]),
    spentMicros: Number(row["spent_micros"]),
  };
}
