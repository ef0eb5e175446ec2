// The caps that admission works on, kept in memory as accounts and keys are. One that nothing was
// held under has no row: it is as its terms say.
import { readRows, type Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { capIdsOf, capOf, freshCap, type CapBalance, type CapTerms } from "../cap.ts";
import { IdleMap, type IdleMapNeeds } from "./idle-map.ts";
import { selectCaps, selectHeldCaps } from "../queries.ts";

interface CapsNeeds {
  database: Database;
  store: Pick<Store, "read">;
  forgetting: Omit<IdleMapNeeds<string, CapBalance>, "load">;
}

export class Caps {
  readonly #needs: CapsNeeds;
  readonly #kept: IdleMap<string, CapBalance>;
  /** Terms of those that are being read. */
  readonly #terms = new Map<string, CapTerms>();

  constructor(needs: CapsNeeds) {
    this.#needs = needs;
    this.#kept = new IdleMap({ ...needs.forgetting, load: (id) => this.#load(id) });
  }

  /** Null where one of them has to be read first. */
  peek(all: readonly CapTerms[]): readonly CapBalance[] | null {
    const caps: CapBalance[] = [];
    for (const { id, name } of all) {
      const cap = this.#kept.peek(id);
      if (!cap) return null;
      // One that was read for a task has no name yet, and budgets are renamed.
      if (name !== "") cap.name = name;
      caps.push(cap);
    }
    return caps;
  }

  async find(terms: CapTerms): Promise<CapBalance> {
    this.#terms.set(terms.id, terms);
    const cap = await this.#kept.find(terms.id);
    this.#terms.delete(terms.id);
    // Somebody without terms may have asked first, and found none.
    return cap ?? (await this.find(terms));
  }

  /** Null where nothing was ever held under it. */
  known(id: string): Promise<CapBalance | null> {
    return this.#kept.find(id);
  }

  /** Windows of a budget in memory that are not over. */
  open(budgetId: string, nowMs: number): CapBalance[] {
    return [...this.#kept.values()].filter(
      (cap) => cap.budgetId === budgetId && (cap.closesAtMs === null || cap.closesAtMs > nowMs),
    );
  }

  /** Its row in the book. */
  async read(id: string): Promise<CapBalance | null> {
    const [row] = await this.#rows([id]);
    return row ? capOf(row, "") : null;
  }

  /** Several in one read, which keeps none of them; with `isShared` memory has but a part. */
  async show(all: readonly CapTerms[], isShared: boolean): Promise<CapBalance[]> {
    const read = await this.#rows(all.map(({ id }) => id));
    const rows = new Map(read.map((row) => [row.id, row]));
    return all.map((terms) => {
      const row = rows.get(terms.id);
      const known = isShared ? null : this.#kept.known(terms.id);
      return known ?? (row ? capOf(row, terms.name) : freshCap(terms));
    });
  }

  /** Terms of the caps that each of these holds was taken under, where it was under any. */
  async ofHolds(holdIds: readonly string[]): Promise<Map<string, CapTerms[]>> {
    if (holdIds.length === 0) return new Map();
    const { database, store } = this.#needs;
    const held = await readRows(store, selectHeldCaps(database, holdIds));
    const rows = await this.#rows([...new Set(held.flatMap(({ caps }) => capIdsOf(caps)))]);
    const terms = new Map(rows.map((row) => [row.id, capOf(row, "")]));
    const termsOf = (caps: string | null) => capIdsOf(caps).flatMap((id) => terms.get(id) ?? []);
    return new Map(held.map(({ id, caps }) => [id, termsOf(caps)]));
  }

  async #rows(ids: readonly string[]) {
    const { database, store } = this.#needs;
    return ids.length === 0 ? [] : await readRows(store, selectCaps(database, ids));
  }

  async #load(id: string): Promise<CapBalance | null> {
    const [row] = await this.#rows([id]);
    const terms = this.#terms.get(id);
    if (row) return capOf(row, terms?.name ?? "");
    return terms ? freshCap(terms) : null;
  }
}
