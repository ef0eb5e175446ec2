// Clients that leave before the end, and what becomes of their upstreams: they are read on for a
// while, because what was used is told last. What is read goes nowhere.
import type { Abort, AbortListener } from "../../core/abort.ts";
import type { Deadlines, Watch } from "../../core/deadline.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Allowance } from "../../core/outbound.ts";

interface ReadOnRules {
  /** None are read on where it is 0. */
  readOnMs: number;
  readOnBytesMax: number;
  /**
   * Limit of those read on at once; the upstreams of all others are closed when their clients
   * leave.
   */
  readOnMax: number;
}

/** One account has a part of them, so that it cannot leave all others without. */
const accountParts = 4;

/** A request whose upstream is read on. */
interface Unattended {
  readonly accountId: AccountId | null;
  /** Its time is over. */
  cut(): void;
}

/** The upstreams that are read on, bounded in number and time. */
export class ReadOn {
  readonly #deadlines: Deadlines;
  readonly #rules: ReadOnRules;
  readonly #open = new Map<Unattended, Watch>();
  readonly #accounts = new Map<AccountId | null, number>();
  #isClosed = false;
  #emptied: () => void = () => {};

  constructor(deadlines: Deadlines, rules: ReadOnRules) {
    this.#deadlines = deadlines;
    this.#rules = rules;
  }

  get size(): number {
    return this.#open.size;
  }

  get bytesMax(): number {
    return this.#rules.readOnBytesMax;
  }

  /** False when its upstream is to be closed at once. */
  enter(unattended: Unattended): boolean {
    const { readOnMs, readOnMax } = this.#rules;
    if (this.#isClosed || readOnMs === 0 || this.#open.size >= readOnMax) return false;
    const { accountId } = unattended;
    const ofAccount = this.#accounts.get(accountId) ?? 0;
    if (ofAccount >= Math.max(1, Math.floor(readOnMax / accountParts))) return false;
    this.#accounts.set(accountId, ofAccount + 1);
    this.#open.set(
      unattended,
      this.#deadlines.watch(readOnMs, () => unattended.cut()),
    );
    return true;
  }

  leave(unattended: Unattended): void {
    const { accountId } = unattended;
    this.#open.get(unattended)?.end();
    this.#open.delete(unattended);
    const ofAccount = (this.#accounts.get(accountId) ?? 0) - 1;
    if (ofAccount > 0) this.#accounts.set(accountId, ofAccount);
    else this.#accounts.delete(accountId);
    if (this.#open.size === 0) this.#emptied();
  }

  /** Cuts all of them short; resolves when what they used is settled. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#open.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#emptied = resolve;
    for (const unattended of this.#open.keys()) unattended.cut();
    await promise;
  }
}

/** A client that takes up room others may want meanwhile. */
interface Client {
  readonly caller: { readonly accountId: AccountId };
  ending: { end(): void; readonly shownBytes: number } | null;
  left(): void;
}

interface ToldStream {
  readonly shownBytes: number;
  cancel(): void;
}

/** One client's leaving, of which its upstream and its stream are told in this order. */
export class Disconnect implements AbortListener, Allowance {
  readonly #readOn: ReadOn | null;
  readonly #signal: AbortSignal;
  #upstream: Pick<Abort, "abort"> | null = null;
  #stream: ToldStream | null = null;
  #state: "here" | "left" | "read on" | "settled" = "here";
  #bytesLeft = 0;
  /** A vendor worked when its client left, and what came of it is not known. */
  isUnheard = false;

  readonly #client: Client | null;

  /** Without a `ReadOn` its upstream is always closed at once. */
  constructor(readOn: ReadOn | null, signal: AbortSignal, client: Client | null = null) {
    this.#client = client;
    if (client) client.ending = this;
    this.#readOn = readOn;
    this.#signal = signal;
  }

  get accountId(): AccountId | null {
    return this.#client?.caller.accountId ?? null;
  }

  get isLeft(): boolean {
    return this.#state === "left" || this.#state === "read on" || this.#signal.aborted;
  }

  get shownBytes(): number {
    return this.#stream?.shownBytes ?? 0;
  }

  get isReadOn(): boolean {
    return this.#state === "read on";
  }

  /** Close this one when the client leaves, in place of the one before. */
  follow(upstream: Pick<Abort, "abort">): void {
    if (this.#upstream === null) this.#listen();
    this.#upstream = upstream;
  }

  /** Until then it is enough to look: only what has an upstream has something to close. */
  #listen(): void {
    // A listener to a signal that has aborted already is not told.
    if (this.#signal.aborted) this.leave();
    // Never removed: it goes with the request.
    else this.#signal.addEventListener("abort", this);
  }

  tell(stream: ToldStream): void {
    this.#stream = stream;
  }

  handleEvent(): void {
    this.leave();
  }

  leave(): void {
    if (this.#state !== "here") return;
    const isReadOn = this.#upstream !== null && this.#readOn?.enter(this) === true;
    this.#state = isReadOn ? "read on" : "left";
    this.#bytesLeft = this.#readOn?.bytesMax ?? 0;
    if (isReadOn) this.#client?.left();
    else this.cut();
    this.#stream?.cancel();
  }

  /** Ended from elsewhere: its upstream is closed at once. */
  end(): void {
    this.leave();
    this.cut();
  }

  mayTake(bytes: number): boolean {
    return !this.isLeft || this.mayRead(bytes);
  }

  /** False when that was too much. */
  mayRead(bytes: number): boolean {
    this.#bytesLeft -= bytes;
    return this.#bytesLeft >= 0;
  }

  cut(): void {
    this.#upstream?.abort();
  }

  /** It is known and written what was used. */
  settled(): void {
    if (this.#state === "read on") this.#readOn?.leave(this);
    this.#state = "settled";
  }
}
