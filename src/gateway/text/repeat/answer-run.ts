// An answer while it is made, for all who ask for it meanwhile: each gets it from its first byte
// on, at a pace of its own. It is read from its vendor as fast as the fastest of them reads, and to
// its end when all of them have left, so that who comes back finds it whole.
import type { AccountId } from "../../../core/ids.ts";
import type { Answer, ByteSource } from "../../answer.ts";
import type { ReadOn } from "../../stream/read-on.ts";
import type { RunRoom } from "./run-room.ts";

/** A client that reads along. */
export interface Attendant {
  /** Count of the pieces that it has. */
  readonly at: number;
  /** It waits for the next one. */
  readonly isHungry: boolean;
  wake(): void;
}

interface RunNeeds {
  accountId: AccountId;
  /** Room to go on in when nobody attends it. */
  readOn: ReadOn;
  /** Past so many bytes it is not kept, and nobody can join it any more. */
  bytesMax: number;
  /** The same where this has no room. */
  room: RunRoom;
}

export class AnswerRun {
  readonly #needs: RunNeeds;
  readonly #leaving = new AbortController();
  readonly #attendants = new Set<Attendant>();
  readonly #over = Promise.withResolvers<void>();
  #source: ByteSource | null = null;
  #pieces: Uint8Array[] = [];
  /** Count of the pieces that were let go of, once it is too large. */
  #goneCount = 0;
  /** Length of the pieces that are there. */
  #bytes = 0;
  #isTooLarge = false;
  #isReadOn = false;
  #isPulling = false;
  #isEnded = false;
  #fault: { error: unknown } | null = null;

  constructor(needs: RunNeeds) {
    this.#needs = needs;
  }

  /** Aborts when nobody wants it any more, in place of the signal of one client. */
  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Resolves when nothing more comes of it. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  get accountId(): AccountId {
    return this.#needs.accountId;
  }

  get isAttended(): boolean {
    return this.#attendants.size > 0;
  }

  get isTooLarge(): boolean {
    return this.#isTooLarge;
  }

  get isWhole(): boolean {
    return this.#source?.isWhole !== false;
  }

  /** All that came, with what comes last; null where that is too much. */
  wholeWith(last: readonly Uint8Array[]): Uint8Array | null {
    if (this.isTooLarge) return null;
    const whole = Buffer.concat([...this.#pieces, ...last]);
    return whole.length > this.#needs.bytesMax ? null : whole;
  }

  /** Its answer began, or is there. */
  begin({ body }: Answer): void {
    if (typeof body === "string" || body instanceof Uint8Array || body instanceof Blob) {
      return this.end();
    }
    this.#source = body;
    this.pull();
  }

  join(attendant: Attendant): void {
    this.#attendants.add(attendant);
    if (this.#isReadOn) this.#needs.readOn.leave(this);
    this.#isReadOn = false;
  }

  leave(attendant: Attendant): void {
    if (!this.#attendants.delete(attendant)) return;
    if (this.isAttended) return this.pull();
    if (this.#isEnded) return this.#count(-this.#bytes);
    this.#isReadOn = this.#needs.readOn.enter(this);
    if (!this.#isReadOn) return this.cut();
    this.pull();
  }

  cut(): void {
    this.#leaving.abort();
    this.pull();
  }

  interrupt(): void {
    this.#source?.interrupt();
  }

  /** Undefined where it has not come yet; throws what it failed by. */
  piece(at: number): Uint8Array | null | undefined {
    const piece = this.#pieces[at - this.#goneCount];
    if (piece || !this.#isEnded) return piece;
    if (this.#fault) throw this.#fault.error;
    return null;
  }

  /** Reads on from the vendor while somebody waits for more, or nobody is there. */
  pull(): void {
    if (this.#isPulling) return;
    this.#isPulling = true;
    const again = () => this.pull();
    while (this.#source && this.#isWanted()) {
      const piece = this.#take(this.#source, again);
      if (piece === undefined) break;
      if (piece === null) this.end();
      else this.#add(piece);
    }
    this.#isPulling = false;
  }

  #take(source: ByteSource, ready: () => void): Uint8Array | null | undefined {
    try {
      return source.take(ready);
    } catch (error) {
      this.#fault = { error };
      return null;
    }
  }

  #isWanted(): boolean {
    if (this.#isEnded) return false;
    if (!this.isAttended) return true;
    const end = this.#goneCount + this.#pieces.length;
    const attendants = [...this.#attendants];
    const isRead = ({ at, isHungry }: Attendant) => at === end && isHungry;
    return this.isTooLarge ? attendants.every(isRead) : attendants.some(isRead);
  }

  #add(piece: Uint8Array): void {
    const { accountId, bytesMax, room } = this.#needs;
    this.#isTooLarge ||=
      this.#bytes + piece.length > bytesMax || !room.has(accountId, piece.length);
    this.#pieces.push(piece);
    this.#count(piece.length);
    for (const attendant of this.#attendants) attendant.wake();
    if (this.#isTooLarge) this.#trim();
  }

  /** Lets go of what everybody has. */
  #trim(): void {
    // Nobody will be given it again, so that it need not be read on for that.
    if (this.#isReadOn) this.#leaving.abort();
    const end = this.#goneCount + this.#pieces.length;
    const first = Math.min(end, ...Array.from(this.#attendants, ({ at }) => at));
    for (const piece of this.#pieces.splice(0, first - this.#goneCount)) this.#count(-piece.length);
    this.#goneCount = first;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#needs.room.take(this.accountId, bytes);
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (this.#isReadOn) this.#needs.readOn.leave(this);
    this.#isReadOn = false;
    this.#over.resolve();
    if (!this.isAttended) this.#count(-this.#bytes);
    for (const attendant of this.#attendants) attendant.wake();
  }
}
