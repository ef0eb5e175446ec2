// The balances that admission works on: loaded from the store once, then kept and moved in memory.
// Those that nobody has used for long are forgotten once there are very many; by then the database
// has all that was done with them.
import { GatewayError } from "../core/errors.ts";
import type { AccountId, KeyId } from "../core/ids.ts";
import { readRows, type Database } from "../store/database.ts";
import type { LedgerAccountTable, LedgerKeyTable } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { AccountBalance, KeyBalance, Wallet } from "./balance.ts";
import { noCaps, type CapBalance, type CapLimit, type CapTerms } from "./cap.ts";
import { Caps } from "./kept/caps.ts";
import type { Slices } from "./cluster/slices.ts";
import { IdleMap } from "./kept/idle-map.ts";
import type { Usable } from "./kept/usable.ts";
import type { Ledger } from "./ledger.ts";
import { selectAccountBalances, selectKeyBalance } from "./queries.ts";

type LentSlices = Pick<
  Slices,
  "wallet" | "peekCaps" | "findCaps" | "recallEverywhere" | "shownAccount" | "shownKey" | "gathers"
>;

interface BalancesNeeds {
  database: Database;
  store: Pick<Store, "read" | "applied">;
  /** Slices this node was lent, from which requests are paid where nodes share the accounts. */
  slices?: LentSlices | undefined;
  /** Without it nothing is ever forgotten, and no cap changed. */
  ledger?: Pick<Ledger, "settled"> & Partial<Pick<Ledger, "limitCap" | "closeCap">>;
  countMax?: number;
}

/** Account that pays, the key that spends, and the caps that it spends under. */
interface Payer {
  accountId: AccountId;
  keyId: KeyId;
  caps?: readonly CapTerms[];
}

const balancesMax = 100_000;

export class Balances {
  readonly #accounts: IdleMap<AccountId, AccountBalance>;
  readonly #keys: IdleMap<KeyId, KeyBalance>;
  readonly #caps: Caps;
  readonly #ledger: BalancesNeeds["ledger"];
  readonly #slices: LentSlices | null;
  readonly #read: {
    accounts(ids: readonly AccountId[]): Promise<LedgerAccountTable[]>;
    account(id: AccountId): Promise<AccountBalance | null>;
    key(id: KeyId): Promise<KeyBalance | null>;
  };

  constructor(needs: BalancesNeeds) {
    const { database, store, ledger, slices = null, countMax = balancesMax } = needs;
    this.#slices = slices;
    this.#ledger = ledger;
    this.#read = {
      accounts: (ids) => readRows(store, selectAccountBalances(database, ids)),
      async account(id) {
        const [row] = await readRows(store, selectAccountBalances(database, [id]));
        return row ? toAccount(row) : null;
      },
      async key(id) {
        const [row] = await readRows(store, selectKeyBalance(database, id));
        return row ? toKey(row) : null;
      },
    };
    const forgetting = {
      countMax: ledger ? countMax : Infinity,
      putAway,
      takeBack,
      flush: async () => {
        if (!(await ledger?.settled())) return false;
        await store.applied();
        return true;
      },
    };
    this.#accounts = new IdleMap<AccountId, AccountBalance>({
      ...forgetting,
      load: this.#read.account,
    });
    this.#keys = new IdleMap<KeyId, KeyBalance>({
      ...forgetting,
      load: this.#read.key,
    });
    this.#caps = new Caps({ database, store, forgetting });
  }

  /** The account as all nodes have it together. */
  account(id: AccountId): Promise<AccountBalance | null> {
    return this.#slices ? this.#shownAccount(this.#slices, id) : this.#accounts.find(id);
  }

  /** Whether nothing of it is held, on whatever node; of an unlimited one only this node knows. */
  async isIdle({ id, unlimited, availableMicros, heldMicros }: AccountBalance): Promise<boolean> {
    if (heldMicros > 0) return false;
    if (!this.#slices || unlimited || availableMicros <= 0) return true;
    return await this.#slices.gathers(id, availableMicros);
  }

  key(id: KeyId): Promise<KeyBalance | null> {
    return this.#slices ? this.#shownKey(this.#slices, id) : this.#keys.find(id);
  }

  /** Balances of a whole page in one query, which loads none of them for admission. */
  async accounts(ids: readonly AccountId[]): Promise<Map<AccountId, AccountBalance>> {
    const rows = ids.length === 0 ? [] : await this.#read.accounts(ids);
    const shown = (read: AccountBalance) =>
      this.#slices ? this.#slices.shownAccount(read) : (this.#accounts.known(read.id) ?? read);
    return new Map(rows.map((row) => [row.account_id, shown(toAccount(row))]));
  }

  /** A row of a list that was just read, with what only memory knows of it. */
  shownKey(row: LedgerKeyTable): KeyBalance {
    const read = toKey(row);
    return this.#slices ? this.#slices.shownKey(read) : (this.#keys.known(read.id) ?? read);
  }

  /** Admission works on memory, so a new limit of a key holds only once it is there. */
  async setLimit(id: KeyId, limitMicros: number | null): Promise<void> {
    if (this.#slices) return await this.#slices.recallEverywhere(id);
    const key = await this.key(id);
    if (key) key.limitMicros = limitMicros;
  }

  /** The cap as all nodes have it together; null where nothing was ever held under it. */
  cap(id: string): Promise<CapBalance | null> {
    return this.#slices ? this.#caps.read(id) : this.#caps.known(id);
  }

  /** Open windows of a budget in memory, also those that have no row yet; on one node alone. */
  openCaps(budgetId: string, nowMs: number): CapBalance[] {
    return this.#slices ? [] : this.#caps.open(budgetId, nowMs);
  }

  /** The same of several, fresh ones where nothing was held yet. */
  caps(all: readonly CapTerms[]): Promise<CapBalance[]> {
    return this.#caps.show(all, this.#slices !== null);
  }

  /** Caps as costs are counted under them; null where one of them has to be read first. */
  peekCaps(terms: readonly CapTerms[]): readonly CapBalance[] | null {
    return this.#slices ? this.#slices.peekCaps(terms) : this.#caps.peek(terms);
  }

  /** The same; where nodes share them they are as the database has them now. */
  async findCaps(terms: readonly CapTerms[]): Promise<readonly CapBalance[]> {
    if (this.#slices) return await this.#slices.findCaps(terms);
    return await Promise.all(terms.map((one) => this.#caps.find(one)));
  }

  /** Terms of the caps that each of these holds was taken under, where it was under any. */
  heldCaps(holdIds: readonly string[]): Promise<Map<string, CapTerms[]>> {
    return this.#caps.ofHolds(holdIds);
  }

  /** False where nothing was ever held under it. What is held of it drains over a lower limit. */
  async setCapLimit(id: string, parts: CapLimit): Promise<boolean> {
    const cap = await this.cap(id);
    if (cap) await this.#ledger?.limitCap?.(cap, parts);
    return cap !== null;
  }

  /** Its window is over from that moment on; false as above. */
  async closeCap(id: string, atMs: number): Promise<boolean> {
    const cap = await this.cap(id);
    if (cap) await this.#ledger?.closeCap?.(cap, atMs);
    return cap !== null;
  }

  /** Null where one of them has to be read first. */
  peekWallet({ accountId, keyId, caps: terms }: Payer): Wallet | null {
    if (this.#slices) return this.#slices.wallet(accountId, keyId, terms);
    const account = this.#accounts.peek(accountId);
    const key = this.#keys.peek(keyId);
    if (!account || !key) return null;
    const caps = terms && terms.length > 0 ? this.#caps.peek(terms) : noCaps;
    return caps && { account, key, caps };
  }

  /** Throws the 401 of a key that is gone. */
  async wallet(payer: Payer): Promise<Wallet> {
    return this.peekWallet(payer) ?? (await this.#loadWallet(payer));
  }

  async #shownAccount(slices: LentSlices, id: AccountId): Promise<AccountBalance | null> {
    const balance = await this.#read.account(id);
    return balance && slices.shownAccount(balance);
  }

  async #shownKey(slices: LentSlices, id: KeyId): Promise<KeyBalance | null> {
    const balance = await this.#read.key(id);
    return balance && slices.shownKey(balance);
  }

  async #loadWallet({ accountId, keyId, caps: terms = [] }: Payer): Promise<Wallet> {
    const [account, key, ...caps] = await Promise.all([
      this.account(accountId),
      this.key(keyId),
      ...terms.map((one) => this.#caps.find(one)),
    ]);
    if (!account || !key) throw new GatewayError("invalid_api_key");
    return { account, key, caps: caps.length > 0 ? caps : noCaps };
  }
}

function putAway(balance: Usable): boolean {
  if (balance.uses > 0) return false;
  balance.isForgotten = true;
  return true;
}

function takeBack(balance: Usable): void {
  balance.isForgotten = false;
}

function toAccount(row: LedgerAccountTable): AccountBalance {
  return {
    id: row.account_id,
    uses: 0,
    isForgotten: false,
    unwrittenMicros: 0,
    unlimited: row.unlimited === 1,
    grantedMicros: row.granted_micros,
    availableMicros: row.available_micros,
    heldMicros: row.held_micros,
    spentMicros: row.spent_micros,
  };
}

function toKey(row: LedgerKeyTable): KeyBalance {
  return {
    id: row.key_id,
    uses: 0,
    isForgotten: false,
    unwrittenMicros: 0,
    accountId: row.account_id,
    limitMicros: row.limit_micros,
    heldMicros: row.held_micros,
    spentMicros: row.spent_micros,
  };
}
