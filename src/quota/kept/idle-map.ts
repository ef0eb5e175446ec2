// A map that forgets what nobody has asked for longest. It keeps two generations: what is asked for
// again moves to the young one, and once that is full, what is left in the old one goes. It goes in
// two steps, put away and gone; in between, all that was done with it becomes readable elsewhere.

interface Entry<Value> {
  loading: Promise<Value | null>;
  /** Null until it is loaded. */
  value: Value | null;
}

export interface IdleMapNeeds<Id, Value> {
  countMax: number;
  load(id: Id): Promise<Value | null>;
  /** Puts the value away unless it is in use; from then on nobody can use it. */
  putAway(value: Value): boolean;
  takeBack(value: Value): void;
  /** True once loading again would give everything that is put away as it is. */
  flush(): Promise<boolean>;
}

export class IdleMap<Id, Value> {
  readonly #needs: IdleMapNeeds<Id, Value>;
  #young = new Map<Id, Entry<Value>>();
  #old = new Map<Id, Entry<Value>>();
  readonly #leaving = new Set<Id>();
  #forgetting: Promise<void> | null = null;

  constructor(needs: IdleMapNeeds<Id, Value>) {
    this.#needs = needs;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** The value in memory, where it was asked for lately; null says nothing. */
  peek(id: Id): Value | null {
    return this.#young.get(id)?.value ?? null;
  }

  /** Balance in memory, if any; asking so keeps nothing there. */
  known(id: Id): Value | null {
    return (this.#young.get(id) ?? this.#old.get(id))?.value ?? null;
  }

  /** All that are in memory; asking so keeps nothing there. */
  *values(): Generator<Value> {
    for (const entries of [this.#young, this.#old]) {
      for (const { value } of entries.values()) if (value !== null) yield value;
    }
  }

  /** One load however many ask at once: there is never a second copy of a value. */
  find(id: Id): Promise<Value | null> {
    const young = this.#young.get(id);
    if (young) return young.loading;
    const old = this.#old.get(id);
    if (!old) return this.#load(id);
    if (this.#leaving.has(id) && this.#forgetting) {
      return this.#forgetting.then(() => this.find(id));
    }
    this.#old.delete(id);
    this.#young.set(id, old);
    this.#makeRoom();
    return old.loading;
  }

  #load(id: Id): Promise<Value | null> {
    const loading = this.#needs.load(id).then(
      (value) => {
        entry.value = value;
        if (value === null) this.#drop(id);
        return value;
      },
      (error: unknown) => {
        this.#drop(id);
        throw error;
      },
    );
    const entry: Entry<Value> = { loading, value: null };
    this.#young.set(id, entry);
    this.#makeRoom();
    return loading;
  }

  #drop(id: Id): void {
    this.#young.delete(id);
    this.#old.delete(id);
  }

  #makeRoom(): void {
    if (this.#forgetting || this.#young.size * 2 <= this.#needs.countMax) return;
    this.#forgetting = this.#forgetOld().finally(() => {
      this.#forgetting = null;
    });
  }

  async #forgetOld(): Promise<void> {
    for (const [id, { value }] of this.#old) {
      if (value !== null && this.#needs.putAway(value)) this.#leaving.add(id);
    }
    const isSafe = this.#leaving.size === 0 || (await this.#needs.flush().catch(() => false));
    if (isSafe) this.#age();
    else this.#takeBack();
    this.#leaving.clear();
  }

  /** The young become the old; of the old, only those in use are left. */
  #age(): void {
    for (const [id, entry] of this.#old) {
      if (!this.#leaving.has(id)) this.#young.set(id, entry);
    }
    this.#old = this.#young;
    this.#young = new Map();
  }

  #takeBack(): void {
    for (const id of this.#leaving) {
      const value = this.#old.get(id)?.value;
      if (value !== null && value !== undefined) this.#needs.takeBack(value);
    }
  }
}
