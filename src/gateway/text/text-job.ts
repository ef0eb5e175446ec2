// A text request on its way: what the client asks for, and what was decided before the first
// upstream is called.
import type { JsonObject } from "../../core/json.ts";
import type { AddressFacts, Format } from "../../formats/format.ts";
import type { Reservation } from "../../quota/ledger.ts";
import type { OpenCall } from "../open-call.ts";
import type { Chain } from "./chain/chain.ts";
import type { TextLeg } from "./chain/text-leg.ts";

export interface TextInput {
  call: OpenCall;
  format: Format;
  body: JsonObject;
  bodyBytes: number;
  /** The body as it came, where the format may remember it; null once it was changed. */
  raw: Uint8Array | null;
  /** JSON of all that the body is made of, as it came or was kept; none once it is held for. */
  written: readonly Uint8Array[];
  /** What the address says where the body does not. */
  address: AddressFacts | null;
  /** Condensing a conversation is its own action of some upstreams. */
  action: "generate" | "compact";
  /** The client's headers that belong to its format's wire. */
  wireHeaders: Readonly<Record<string, string>>;
  /** All of them, for what is seldom asked after. */
  headers: Pick<Headers, "get">;
  /** By which vendors that are spoken to in this format know the session again. */
  session?: Readonly<Record<string, string>> | undefined;
  /** As the client sent it, sealed by us or not. */
  turnState?: string | null;
}

/** Of a virtual model the leg is that of the member which is asked first, or which served. */
export interface TextJob extends TextLeg {
  input: TextInput;
  reservation: Reservation;
  chain?: Chain;
}
