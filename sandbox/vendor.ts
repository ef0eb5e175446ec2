// A sandbox vendor: a folder that turns a request on its own wire into an answer. It never waits
// and never sees a socket; the server delivers the answer and acts out its faults.
import type { Clock } from "../src/core/clock.ts";
import type { Seen } from "./call-log.ts";
import type { Faults } from "./directives.ts";
import type { JobBook } from "./jobs.ts";

export interface VendorRequest {
  method: string;
  /** Below the vendor's prefix, such as "/v1/models". */
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: Uint8Array;
  /** Tells the call log what the request turned out to be. */
  note(seen: Seen): void;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  faults: Faults;
  content: Content;
}

/** A body that is sent at once, or events that are sent one by one at the sandbox's pace. */
type Content = { kind: "whole"; bytes: Uint8Array } | { kind: "events"; events: Uint8Array[] };

export interface Vendor {
  /** The first part of every path, such as "/openai". */
  prefix: string;
  answer(request: VendorRequest): Answer;
}

export interface VendorWorld {
  clock: Clock;
  /** Length of an ordinary answer. */
  words: number;
  jobs: JobBook;
}

/**
 * Address that the sandbox was reached at, such as "http://127.0.0.1:8081"; links to results begin
 * so.
 */
export function originOf({ headers }: VendorRequest): string {
  return `http://${headers.get("host") ?? "127.0.0.1"}`;
}
