// Requests under way, as they go over the wire.
import { orNull, text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { callsOf } from "../call.ts";
import { removed } from "../contract/basics.ts";

export const InflightView = Type.Object({
  request_id: text(),
  age_ms: whole("How long ago it came in."),
  account: text(),
  key_id: text(),
  key_name: text(),
  group: text(),
  route: text(),
  format: text("The format that the route speaks, such as `chat`; otherwise the route."),
  model: text("Empty until its body was read."),
  stream: Type.Boolean(),
  channel: orNull(text("Where it is tried now; null before that.")),
  channel_id: orNull(text()),
  attempts: whole(),
  bytes: whole("How much of a stream its client has taken so far."),
  ip: text(),
  can_end: Type.Boolean({ description: "Whether it can be ended from here." }),
});
export type InflightView = Static<typeof InflightView>;

const { call, list } = callsOf("Records");

export const inflightCalls = {
  list: list("GET /api/inflight", "List the requests that run now", {
    permission: "usage.read",
    item: InflightView,
    filter: {},
  }),
  end: call("DELETE /api/inflight/{id}", "End a request that runs", {
    permission: "requests.end",
    answer: removed,
  }),
};
export type InflightCalls = typeof inflightCalls;
