// Passes a stream on to the client, one piece at a time as the client asks, with backpressure. It
// ends in exactly one settlement, whoever ends it: the vendor's end marker, a fault, a stall, the
// client, or the end of the process. Of a client that has left, the upstream may be read on.
import type { Abort } from "../../core/abort.ts";
import type { Deadlines, Watch } from "../../core/deadline.ts";
import { GatewayError } from "../../core/errors.ts";
import { Later } from "../../core/later.ts";
import type { ByteSource } from "../answer.ts";
import type { Disconnect } from "./read-on.ts";
import { cut, faultDetails, noBytes, type FaultPiece, type Piece, type Pump } from "./pump.ts";

export type StreamEnd =
  /** `bytes` are the last, which the client gets once it is settled. */
  | { kind: "complete"; bytes: Uint8Array }
  /** `isShown`: it had got something by then; `isRead`: the end was read after it had left. */
  | { kind: "client_abort"; isShown: boolean; isRead: boolean }
  | { kind: "broken"; error: GatewayError };

interface RelayNeeds {
  pump: Pump;
  first: Piece;
  abort: Pick<Abort, "abort">;
  /** Says when the client is gone, which may break the upstream off before `cancel` is called. */
  disconnect: Disconnect;
  deadlines: Deadlines;
  stallMs: number;
  totalMs: number;
  /** True when what was sent on costs more than there is. */
  isSpent(): boolean;
  /** Charges what was delivered; the last bytes wait for it. */
  settle(end: StreamEnd): Promise<void>;
  /** Bytes that follow the last ones of a complete stream, known once it is settled. */
  ending?(): Uint8Array;
  encodeError(error: GatewayError): Uint8Array;
}

export class Relay implements ByteSource {
  readonly #needs: RelayNeeds;
  readonly #stall: Watch;
  readonly #total: Watch;
  #first: Piece | null;
  #last: Later<Uint8Array> | null = null;
  #shownBytes = 0;
  #isLeft = false;
  #isEnded = false;
  /** Wakes whoever waits for a piece. */
  #ready: (() => void) | null = null;
  #brokenBecause = "The upstream broke the stream off.";

  constructor(needs: RelayNeeds) {
    this.#needs = needs;
    this.#first = needs.first;
    const late = () => this.#breakOff("The upstream fell silent.");
    this.#stall = needs.deadlines.watch(needs.stallMs, late);
    this.#total = needs.deadlines.watch(needs.totalMs, late);
    needs.disconnect.tell(this);
  }

  get isWhole(): boolean {
    return this.#needs.pump.isWhole !== false;
  }

  /** Bytes the client has taken so far. */
  get shownBytes(): number {
    return this.#shownBytes;
  }

  take(ready: () => void): Uint8Array | null | undefined {
    if (this.#isEnded) return this.#takeLast(ready);
    if (this.#isLeft) return null;
    this.#ready = ready;
    const piece = this.#next(ready);
    if (piece?.kind === "cut" && this.#needs.disconnect.isLeft) this.#leave();
    return this.#isEnded || this.#isLeft ? null : piece && this.#show(piece, ready);
  }

  #next(ready: () => void): Piece | undefined {
    const first = this.#first;
    this.#first = null;
    try {
      return first ?? this.#needs.pump.next(ready);
    } catch {
      return cut;
    }
  }

  #show(piece: Piece, ready: () => void): Uint8Array | null | undefined {
    switch (piece.kind) {
      case "bytes":
        if (this.#needs.isSpent()) {
          return this.#break("The answer costs more than there is.", ready, piece.bytes);
        }
        this.#stall.extend(this.#needs.stallMs);
        this.#shownBytes += piece.bytes.length;
        return piece.bytes;
      case "end":
        this.#last = new Later(() =>
          this.#endWith({ kind: "complete", bytes: piece.bytes }, () => this.#ended(piece.bytes)),
        );
        return this.#takeLast(ready);
      case "fault":
        return this.#break(piece.message, ready, piece.bytes, piece);
      case "cut":
        return this.#break(this.#brokenBecause, ready);
    }
  }

  #ended(bytes: Uint8Array): Uint8Array {
    const ending = this.#needs.ending?.() ?? noBytes;
    return ending.length === 0 ? bytes : Buffer.concat([bytes, ending]);
  }

  /** The last bytes wait for the settlement. */
  #takeLast(ready: () => void): Uint8Array | null | undefined {
    const bytes = this.#last?.take(ready);
    if (bytes) this.#last = null;
    return this.#last || bytes ? bytes : null;
  }

  /** The client is gone: the upstream is read on, or closed at once. */
  cancel(): void {
    if (this.#isEnded || this.#isLeft) return;
    this.#leave();
    this.#ready?.();
  }

  #leave(): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    const { disconnect } = this.#needs;
    disconnect.leave();
    if (!disconnect.isReadOn) return this.#endLeft(false);
    const readOn = (): void => this.#readOn(readOn);
    readOn();
  }

  /** Up to the end, past everything that somebody would have got. */
  #readOn(ready: () => void): void {
    while (!this.#isEnded) {
      const piece = this.#next(ready);
      if (!piece) return;
      if (piece.kind !== "bytes" || !this.#needs.disconnect.mayRead(piece.bytes.length)) {
        return this.#endLeft(piece.kind === "end");
      }
      this.#stall.extend(this.#needs.stallMs);
    }
  }

  #endLeft(isRead: boolean): void {
    const end: StreamEnd = { kind: "client_abort", isShown: this.#shownBytes > 0, isRead };
    this.#end(end).catch(unsettled);
  }

  interrupt(): void {
    if (!this.#isEnded) this.#breakOff("The gateway is shutting down.");
  }

  /** Ends the upstream; the read that waits for it then ends the stream. */
  #breakOff(reason: string): void {
    this.#brokenBecause = reason;
    this.#needs.abort.abort();
  }

  #break(
    message: string,
    ready: () => void,
    before: Uint8Array = noBytes,
    fault: FaultPiece | null = null,
  ): Uint8Array | null | undefined {
    const details = fault ? faultDetails(fault) : { message };
    const shown = fault?.shown;
    const error = new GatewayError("bad_response", { ...details, ...(shown && { shown }) });
    const lastBytes = () => Buffer.concat([before, this.#needs.encodeError(error)]);
    this.#last = new Later(() => this.#endWith({ kind: "broken", error }, lastBytes));
    return this.#takeLast(ready);
  }

  /** End without showing a charge that could not be settled as if it had been. */
  async #endWith(end: StreamEnd, last: () => Uint8Array): Promise<Uint8Array> {
    try {
      await this.#end(end);
      return last();
    } catch (error) {
      return this.#needs.encodeError(unsettled(error));
    }
  }

  async #end(end: StreamEnd): Promise<void> {
    this.#isEnded = true;
    this.#stall.end();
    this.#total.end();
    // Only now: who waits for the upstream is told at once, and must find that it has ended.
    if (end.kind !== "complete") this.#needs.abort.abort();
    try {
      const settled = this.#needs.settle(end);
      const closed = this.#needs.pump.close?.();
      await (closed ? Promise.all([settled, closed]) : settled);
    } finally {
      // A complete one has closed its body by now too, and its connection can be used again.
      this.#needs.abort.abort();
    }
  }
}

/** Only where others have what was held; anything else is a bug, and breaks the stream off. */
function unsettled(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  throw error;
}
