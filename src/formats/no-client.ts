// A format that upstreams speak and no client does: nothing in it is ever read from a client,
// passed on as it is, or written for one.
import { AssertionError } from "../core/assert.ts";
import type { Format } from "./format.ts";

type ClientFields = Pick<
  Format,
  | "headers"
  | "read"
  | "forward"
  | "readReply"
  | "observe"
  | "encodeError"
  | "requestTexts"
  | "client"
>;

export function noClient(): never {
  throw new AssertionError("no client speaks this format");
}

export const upstreamOnly: ClientFields = {
  headers: [],
  read: noClient,
  forward: noClient,
  readReply: noClient,
  observe: noClient,
  encodeError: noClient,
  requestTexts: noClient,
  client: null,
};
