// Where a stream's bytes for the client come from, piece by piece.
import type { JsonObject } from "../../core/json.ts";
import type { Take } from "../../core/later.ts";
import type { Observed } from "../../formats/format.ts";

export type Piece =
  | { kind: "bytes"; bytes: Uint8Array }
  /** The protocol's end was seen; the bytes include what says so. */
  | { kind: "end"; bytes: Uint8Array }
  /** The vendor reported an error; the bytes came before it. */
  | { kind: "fault"; bytes: Uint8Array; message: string }
  /** The stream ended without its end marker. */
  | { kind: "cut" };

export interface Pump {
  /** The next piece that has something for the client. */
  next: Take<Piece>;
  observed(): Observed;
  /** The reply where it was written anew and is remembered, as far as it has come. */
  converted?(): JsonObject | null;
}

export const noBytes = new Uint8Array(0);
