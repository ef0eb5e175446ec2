// The slices of a node by their subjects: one of each, made when it is first asked for.
import type { AccountId, KeyId } from "../../core/ids.ts";
import type { AccountBalance, KeyBalance, Wallet } from "../balance.ts";
import { noCaps, type CapTerms } from "../cap.ts";
import { CapSlice } from "./cap-slice.ts";
import { AccountSlice, KeySlice, type Slice } from "./slice.ts";

export class SliceMap {
  readonly #accounts = new Map<string, AccountSlice>();
  readonly #keys = new Map<string, KeySlice>();
  readonly #caps = new Map<string, CapSlice>();

  wallet(accountId: AccountId, keyId: KeyId, terms: readonly CapTerms[] = []): Wallet {
    const caps = terms.length === 0 ? noCaps : terms.map((one) => this.cap(one));
    return { account: this.account(accountId), key: this.key(keyId, accountId), caps };
  }

  account(id: AccountId): AccountSlice {
    let slice = this.#accounts.get(id);
    if (!slice) this.#accounts.set(id, (slice = new AccountSlice(id)));
    return slice;
  }

  key(id: KeyId, accountId: AccountId): KeySlice {
    let slice = this.#keys.get(id);
    if (!slice) this.#keys.set(id, (slice = new KeySlice(id, accountId)));
    return slice;
  }

  cap(terms: CapTerms): CapSlice {
    let slice = this.#caps.get(terms.id);
    if (!slice) this.#caps.set(terms.id, (slice = new CapSlice(terms)));
    // Budgets are renamed, and one that was found for a task has no name.
    else if (terms.name !== "") slice.name = terms.name;
    return slice;
  }

  /** Null where one of them has no row yet. */
  peekCaps(terms: readonly CapTerms[]): readonly CapSlice[] | null {
    const caps = terms.map((one) => this.cap(one));
    return caps.every(({ hasRow }) => hasRow) ? caps : null;
  }

  /** The slices that a wallet is made of. */
  of({ account, key, caps }: Wallet): readonly Slice[] {
    const slices = [this.account(account.id), this.key(key.id, key.accountId)];
    return caps.length === 0 ? slices : [...slices, ...this.capsOf(caps)];
  }

  covers({ account, key, caps }: Wallet, micros: number): boolean {
    return (
      this.account(account.id).covers(micros) &&
      this.key(key.id, key.accountId).covers(micros) &&
      (caps.length === 0 || this.capsOf(caps).every((cap) => cap.covers(micros)))
    );
  }

  /** The account as the book has it, with what only this node knows to be held. */
  shownAccount(balance: AccountBalance): AccountBalance {
    const held = this.#accounts.get(balance.id)?.unwrittenMicros ?? 0;
    const { availableMicros, heldMicros } = balance;
    return { ...balance, availableMicros: availableMicros - held, heldMicros: heldMicros + held };
  }

  shownKey(balance: KeyBalance): KeyBalance {
    const held = this.#keys.get(balance.id)?.unwrittenMicros ?? 0;
    return { ...balance, heldMicros: balance.heldMicros + held };
  }

  /** Those of now, where others have what this node had before. */
  protected capsOf(caps: Wallet["caps"]): readonly CapSlice[] {
    return caps.map((cap) => this.cap(cap instanceof CapSlice ? cap.terms : cap));
  }

  protected find(subject: string): Slice | undefined {
    return this.#accounts.get(subject) ?? this.#keys.get(subject) ?? this.findCap(subject);
  }

  protected findCap(id: string): CapSlice | undefined {
    return this.#caps.get(id);
  }

  /** Forget it: whoever still has it must ask for it anew. */
  protected dropCap(slice: CapSlice): void {
    slice.isForgotten = true;
    this.#caps.delete(slice.id);
  }

  protected all(): Slice[] {
    return [...this.#accounts.values(), ...this.#keys.values(), ...this.#caps.values()];
  }

  protected clear(): void {
    for (const slice of this.all()) slice.isForgotten = true;
    this.#accounts.clear();
    this.#keys.clear();
    this.#caps.clear();
  }
}
