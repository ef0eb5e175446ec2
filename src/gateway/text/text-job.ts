// A text request on its way: what the client asks for, and what was decided before the first
// upstream is called.
import type { JsonObject } from "../../core/json.ts";
import type { AddressFacts, Format } from "../../formats/format.ts";
import type { Reservation } from "../../quota/ledger.ts";
import type { Answer } from "../answer.ts";
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
  /** Facts of the address that the body lacks. */
  address: AddressFacts | null;
  /** Condensing a conversation is its own action of some upstreams. */
  action: "generate" | "compact";
  /** The client's headers that belong to its format's wire. */
  wireHeaders: Readonly<Record<string, string>>;
  /** All of them, for what is seldom asked after. */
  headers: Pick<Headers, "get">;
  /** The session's headers, by which vendors spoken to in this format know it again. */
  session?: Readonly<Record<string, string>> | undefined;
  /** The state the client sent, sealed by us or not. */
  turnState?: string | null;
  /** Has its answer kept for who asks again; absent where nobody can. */
  keeper?: AnswerKeeper;
}

export interface AnswerKeeper {
  /** In the step in which it is charged; `last` are the bytes that the client has not got yet. */
  keep(answer: Pick<Answer, "contentType" | "headers">, ...last: readonly Uint8Array[]): void;
}

/**
 * A text request under way. The leg of a virtual model is that of the member which is asked first,
 * or which served.
 */
export interface TextJob extends TextLeg {
  input: TextInput;
  reservation: Reservation;
  chain?: Chain;
}
