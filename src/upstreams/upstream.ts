// A vendor's protocol: where its requests go, how they are signed, how its errors read. It has no
// loop, no clock, no retry: the flow above owns those.
import type { Json } from "../core/json.ts";
import type { Format, FormatName } from "../formats/format.ts";

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

/** Whose fault an error of the vendor is, judged by status and structured code, never by prose. */
export type Fault =
  /** The request itself: another channel would refuse it too. */
  | {
      blame: "request";
      status: number;
      type: string;
      code: string | null;
      param: string | null;
      message: string;
    }
  /** The credential is refused: its siblings may still work. */
  | { blame: "key"; message: string }
  /** Too busy: come back later or go elsewhere. */
  | { blame: "load"; message: string; retryAfterSeconds: number | null }
  | { blame: "channel"; message: string };

export interface TextFacet {
  /** The formats the vendor takes, its own first. */
  formats: readonly FormatName[];
  address(format: Format, target: Target): Address;
}

export interface Upstream {
  type: string;
  text?: TextFacet;
  readFault(status: number, headers: Headers, body: Json): Fault;
}
