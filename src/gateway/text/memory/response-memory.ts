// Remembers the replies that no vendor keeps: those that were converted here, whose ids were made
// up here, and those that their vendor did not store. Everything is bounded, belongs to one
// account, and in an organisation to one member, goes an hour after its last use, and is lost when
// the process ends, unless nodes keep it together (`shared-replies.ts`): clients can always send it
// all again.
import type { Clock, Timers } from "../../../core/clock.ts";
import type { AccountId } from "../../../core/ids.ts";
import type { KeptNames } from "../../../formats/recollection.ts";
import { askerIdOf, mayName, type Asker } from "../../../distribution/asker.ts";
import type { AskedReply, KeptBytes } from "./kept-bytes.ts";
import type { SharedReplies } from "./shared-replies.ts";

interface MemoryNeeds {
  clock: Clock;
  timers: Timers;
  /** The place where other nodes find it; absent where there are none. */
  shared?: SharedReplies | null;
}

export interface MemoryLimits {
  bytesMax: number;
  /** Limit of one reply with everything that was said before it. */
  entryBytesMax: number;
  idleMsMax: number;
}

/** A remembered reply, with its id. */
export interface KeptEntry extends KeptBytes {
  id: string;
}

interface Entry extends KeptEntry, AskedReply {
  accountId: AccountId;
  key: string;
  itemKeys: readonly string[];
  bytes: number;
  usedAtMs: number;
}

const mebibyte = 1024 * 1024;
const limitsDefault: MemoryLimits = {
  bytesMax: 8 * mebibyte,
  entryBytesMax: 2 * mebibyte,
  idleMsMax: 3_600_000,
};
const sweepPeriodMs = 60_000;
/** Many go at once: to find the first one takes as long as many went before it. */
const sweptShare = 15 / 16;
/** Accounts that have more than such a part of the memory are the first to lose some. */
const accountParts = 4;
/** Bytes an entry and each of its items take besides their own, roughly. */
const overheadBytes = 512;

export class ResponseMemory {
  readonly #clock: Clock;
  readonly #limits: MemoryLimits;
  readonly #shared: SharedReplies | null;
  /** The one that was used longest ago comes first. */
  readonly #entries = new Map<string, Entry>();
  /** Entries by the keys of their items. */
  readonly #holders = new Map<string, Entry>();
  readonly #bytesByAccount = new Map<AccountId, number>();
  #bytes = 0;

  constructor({ clock, timers, shared = null }: MemoryNeeds, limits: MemoryLimits = limitsDefault) {
    this.#clock = clock;
    this.#shared = shared;
    this.#limits = limits;
    timers.every(sweepPeriodMs, () => this.#sweep());
  }

  /** Bytes held, as they are counted. */
  get bytes(): number {
    return this.#bytes;
  }

  get entryBytesMax(): number {
    return this.#limits.entryBytesMax;
  }

  /**
   * A reply that is too large with what came before it is kept without; alone, not at all. A
   * promise where other nodes are to find it, which resolves when they do.
   */
  keep(asker: Asker, names: KeptNames, kept: KeptBytes): Promise<void> | null {
    const { accountId } = asker;
    const reply = { ...kept, askerId: askerIdOf(asker) };
    this.#keepHere(accountId, names, reply);
    return this.#shared?.keep(accountId, names, reply) ?? null;
  }

  get isShared(): boolean {
    return this.#shared !== null;
  }

  /** Brings here what another node has of these; true when there was any. */
  async fetch({ accountId }: Asker, ids: Iterable<string>): Promise<boolean> {
    let isAny = false;
    for (const id of ids) {
      const fetched = await this.#shared?.fetch(accountId, id);
      if (!fetched) continue;
      isAny = true;
      this.#keepHere(accountId, fetched.names, fetched.kept);
    }
    return isAny;
  }

  #keepHere(accountId: AccountId, { id, itemIds }: KeptNames, kept: AskedReply): void {
    const { reply, askerId } = kept;
    const own = reply.length + overheadBytes * (1 + itemIds.length);
    const both = own + (kept.request?.length ?? 0);
    const { entryBytesMax } = this.#limits;
    if (own > entryBytesMax) return;
    const key = keyOf(accountId, id);
    this.#drop(this.#entries.get(key));
    const itemKeys = itemIds.map((itemId) => keyOf(accountId, itemId));
    const request = both > entryBytesMax ? null : kept.request;
    const bytes = request ? both : own;
    const usedAtMs = this.#clock.monotonicMs();
    const content = { askerId, request, reply };
    const entry: Entry = { id, key, itemKeys, accountId, ...content, bytes, usedAtMs };
    this.#entries.set(key, entry);
    for (const itemKey of itemKeys) this.#holders.set(itemKey, entry);
    this.#count(accountId, bytes);
    if (this.#bytes > this.#limits.bytesMax) this.#sweep(this.#limits.bytesMax * sweptShare);
  }

  /** Forgets what another node has deleted of these; true when there was any. */
  async dropGone({ accountId }: Asker, ids: readonly string[]): Promise<boolean> {
    const gone = (await this.#shared?.findGone(accountId, ids)) ?? [];
    for (const id of gone) this.#drop(this.#entries.get(keyOf(accountId, id)));
    return gone.length > 0;
  }

  find(asker: Asker, replyId: string): KeptEntry | null {
    return this.#use(asker, this.#entries.get(keyOf(asker.accountId, replyId)));
  }

  /** The reply that has the item. */
  findItem(asker: Asker, itemId: string): KeptEntry | null {
    return this.#use(asker, this.#holders.get(keyOf(asker.accountId, itemId)));
  }

  async forget({ accountId }: Asker, replyId: string): Promise<void> {
    this.#drop(this.#entries.get(keyOf(accountId, replyId)));
    await this.#shared?.forget(accountId, replyId);
  }

  #use(asker: Asker, entry: Entry | undefined): Entry | null {
    if (!entry || this.#isOld(entry) || !mayName(asker, entry.askerId)) return null;
    entry.usedAtMs = this.#clock.monotonicMs();
    this.#entries.delete(entry.key);
    this.#entries.set(entry.key, entry);
    return entry;
  }

  #sweep(bytesMax = this.#limits.bytesMax): void {
    if (this.#bytes > bytesMax) this.#sweepLargeAccounts(bytesMax);
    for (const entry of this.#entries.values()) {
      if (this.#bytes <= bytesMax && !this.#isOld(entry)) return;
      this.#drop(entry);
    }
  }

  /** Accounts with much lose theirs first; one alone may fill it while nobody else comes. */
  #sweepLargeAccounts(bytesMax: number): void {
    const partBytes = this.#limits.bytesMax / accountParts;
    const isLarge = (accountId: AccountId) => this.#bytesOf(accountId) > partBytes;
    if (!this.#bytesByAccount.keys().some(isLarge)) return;
    for (const entry of this.#entries.values()) {
      if (this.#bytes <= bytesMax) return;
      if (isLarge(entry.accountId)) this.#drop(entry);
    }
  }

  #bytesOf(accountId: AccountId): number {
    return this.#bytesByAccount.get(accountId) ?? 0;
  }

  /** Less than nothing gives some back. */
  #count(accountId: AccountId, bytes: number): void {
    this.#bytes += bytes;
    const ofAccount = this.#bytesOf(accountId) + bytes;
    if (ofAccount > 0) this.#bytesByAccount.set(accountId, ofAccount);
    else this.#bytesByAccount.delete(accountId);
  }

  #isOld({ usedAtMs }: Entry): boolean {
    return this.#clock.monotonicMs() - usedAtMs > this.#limits.idleMsMax;
  }

  #drop(entry: Entry | undefined): void {
    if (!entry || !this.#entries.delete(entry.key)) return;
    for (const itemKey of entry.itemKeys) this.#holders.delete(itemKey);
    this.#count(entry.accountId, -entry.bytes);
  }
}

/** An account's id holds no blank, so nobody can name what is another's. */
function keyOf(accountId: AccountId, id: string): string {
  return `${accountId} ${id}`;
}
