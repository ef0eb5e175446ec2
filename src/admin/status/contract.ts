// Status of the gateway, as it goes over the wire.
import { orNull, text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { callsOf } from "../call.ts";
import { momentSchema } from "../contract/basics.ts";

/** For admins. */
const ProcessView = Type.Object({
  memory: Type.Object({
    used_bytes: whole("What the process has of the machine's memory."),
    most_bytes: whole("From here on no paid work is taken."),
  }),
  streams: Type.Object({
    open: whole("Streams to clients that are open."),
    most: whole("How many may be."),
    read_on: whole("Upstreams that are read on after their clients left."),
  }),
  requests_open: whole("Paid requests that run now."),
  loop_lag_ms: Type.Number({ description: "How late the event loop runs, in the mean." }),
  disk: Type.Object({
    free_bytes: whole("What is free where the data folder is."),
    size_bytes: whole("How large that disk is."),
  }),
  log: Type.Object({
    rows: whole("About how many rows the usage log has."),
    dropped: whole("Records that it will never have, since the start."),
  }),
  last_verify: orNull(
    Type.Object({
      at: momentSchema,
      ok: Type.Boolean({ description: "Whether the books agreed." }),
    }),
  ),
  last_backup_at: orNull(momentSchema),
});

export const StatusView = Type.Object({
  version: text(),
  uptime_seconds: Type.Number(),
  channels: Type.Object({ enabled: whole(), ejected: whole(), sandbox: whole() }),
  journal: Type.Object({ queue: whole(), oldest_ms: Type.Number() }),
  accepts_paid_work: Type.Boolean(),
  /** Obstacles to paid work. */
  obstacles: Type.Array(text()),
  limits: Type.Object(
    {
      by: Type.Enum(["node", "redis", "share"], {
        description:
          "Who counts what limits allow: this node alone, all nodes together in Redis, or this " +
          "node by its share while Redis is away.",
      }),
      nodes: Type.Integer({ description: "Nodes that are there, this one with them." }),
    },
    { description: "By whom limits of keys, accounts and groups are kept." },
  ),
  process: Type.Optional(ProcessView),
});
export type StatusView = Static<typeof StatusView>;

const { call } = callsOf("System");

export const statusCalls = {
  read: call("GET /api/status", "How the gateway is doing", { answer: StatusView }),
};
export type StatusCalls = typeof statusCalls;
