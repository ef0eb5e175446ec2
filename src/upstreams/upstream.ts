// A vendor's protocol: where its requests go, how they are signed, how its errors read. It has no
// loop, no clock, no retry: the flow above owns those.
import type { Json, JsonObject } from "../core/json.ts";
import type { Dialect } from "../formats/exchange.ts";
import type { FormatName } from "../formats/format.ts";

/** One channel's address and one of its keys. */
export interface Target {
  baseUrl: string;
  key: string;
  headers: Readonly<Record<string, string>>;
}

export interface Address {
  url: string;
  headers: Record<string, string>;
}

/** What is wanted of a text upstream. */
export interface TextAsk {
  format: FormatName;
  /** Counting the tokens of a request and condensing one are not generating an answer. */
  action: "generate" | "count" | "compact";
  /** The upstream's name of the model. */
  model: string;
  stream: boolean;
  /** Headers of the client that belong to this format's wire; empty for a converted request. */
  wireHeaders: Readonly<Record<string, string>>;
}

/** Whose fault an error of the vendor is, judged by status and structured code, never by prose. */
export type Fault =
  /** The request itself: another channel would refuse it too. */
  | RequestFault
  /** The credential is refused: its siblings may still work. */
  | { blame: "key"; message: string }
  /** Too busy: come back later or go elsewhere. */
  | { blame: "load"; message: string; retryAfterSeconds: number | null }
  | { blame: "channel"; message: string };

export interface RequestFault {
  blame: "request";
  status: number;
  type: string;
  code: string | null;
  param: string | null;
  message: string;
}

export interface TextFacet {
  /**
   * What a channel set to this dialect (null: to none) takes as it is; the first of them is the
   * dialect that everything else is converted into.
   */
  formats(dialect: Dialect | null): readonly FormatName[];
  /** Null when the vendor cannot do it. */
  address(ask: TextAsk, target: Target): Address | null;
  /** The address of something the vendor keeps, such as a stored response. */
  stored?(path: string, target: Target): Address;
  /** The body as this vendor wants it, where that differs from the format's own rules. */
  adjust?(body: JsonObject, ask: TextAsk): JsonObject;
  /** A body to try once more with after this refusal, or null when there is nothing to mend. */
  mend?(body: JsonObject, fault: RequestFault): JsonObject | null;
}

export interface Upstream {
  type: string;
  text?: TextFacet;
  readFault(status: number, headers: Headers, body: Json): Fault;
}
