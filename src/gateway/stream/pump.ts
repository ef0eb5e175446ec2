// The source of a stream's bytes for the client, piece by piece.
import type { VendorWords } from "../../core/errors.ts";
import { taken, type Take } from "../../core/later.ts";
import type { OutboundReply } from "../../core/outbound.ts";

export type Piece =
  | { kind: "bytes"; bytes: Uint8Array }
  /** The protocol's end was seen; the bytes include what says so. */
  | { kind: "end"; bytes: Uint8Array }
  /** The vendor reported an error; the bytes came before it. */
  | FaultPiece
  /** The stream ended without its end marker. */
  | { kind: "cut" };

export interface FaultPiece {
  kind: "fault";
  bytes: Uint8Array;
  message: string;
  /** The gateway found the fault itself, and no vendor wrote the message. */
  isOwnMessage?: true;
  /** The same for operators, where they read more than the client. */
  words?: string;
  /** The vendor's own words, as they came. */
  data?: string;
  /** The words the client reads, where the vendor says more than that something failed. */
  shown?: VendorWords;
}

/** Details for an error that is made of the fault. */
export function faultDetails({ message, words: cause, isOwnMessage }: FaultPiece) {
  return { ...(isOwnMessage ? { message } : { vendorMessage: message }), cause };
}

export interface Pump {
  /** The next piece that has something for the client. */
  next: Take<Piece>;
  /** False while the pieces so far end in the midst of something. */
  readonly isWhole?: boolean;
  /** Lets go of what it holds; called once, when nobody asks for more. */
  close?(): Promise<void>;
}

export const noBytes = new Uint8Array(0);
export const cut: Piece = { kind: "cut" };

/** The first piece decides whether a channel serves a request. */
export function firstOf(pump: Pick<Pump, "next">): Promise<Piece> {
  return taken((ready) => pump.next(ready));
}

export function isEventStream({ mediaType }: Pick<OutboundReply, "mediaType">): boolean {
  return mediaType.includes("text/event-stream");
}
