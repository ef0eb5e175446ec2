// How the gateway is doing, as it goes over the wire.
import { text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";

export const StatusView = Type.Object({
  version: text(),
  uptime_seconds: Type.Number(),
  channels: Type.Object({ enabled: whole(), ejected: whole() }),
  journal: Type.Object({ queue: whole(), oldest_ms: Type.Number() }),
  accepts_paid_work: Type.Boolean(),
  /** What stands in the way of paid work. */
  obstacles: Type.Array(text()),
  limits: Type.Object({
    by: Type.Enum(["node", "redis", "share"], {
      description:
        "Who counts what limits allow: this node alone, all nodes together in Redis, or this " +
        "node by its share while Redis is away.",
    }),
    nodes: Type.Integer({ description: "Nodes that are there, this one with them." }),
  }),
});
export type StatusView = Static<typeof StatusView>;
