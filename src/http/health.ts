// Is it up, is it serving, and how is it doing.
import { text } from "../core/schema-words.ts";
import { Type } from "../core/schema.ts";
import { jsonAnswer } from "../gateway/answer.ts";
import { metricsContentType } from "../observe/metrics.ts";
import type { Route } from "./route.ts";

const tag = "System";

interface HealthNeeds {
  /** What keeps the gateway from taking paid work; empty when nothing does. */
  obstacles(): string[];
  renderMetrics(): string;
}

export function healthRoutes({ obstacles, renderMetrics }: HealthNeeds): Route[] {
  return [
    {
      method: "GET",
      path: "/healthz",
      policy: "public",
      envelope: "a",
      entry: {
        tag,
        summary: "Is the process up",
        answer: Type.Object({ status: Type.Literal("up") }),
      },
      serve: async () => jsonAnswer({ status: "up" }),
    },
    {
      method: "GET",
      path: "/readyz",
      policy: "public",
      envelope: "a",
      entry: {
        tag,
        summary: "Does it take paid work",
        description: "503 with what stands in the way when it does not.",
        answer: Type.Object({ status: text(), obstacles: Type.Optional(Type.Array(text())) }),
      },
      async serve() {
        const reasons = obstacles();
        return reasons.length === 0
          ? jsonAnswer({ status: "ready" })
          : jsonAnswer({ status: "not ready", obstacles: reasons }, 503);
      },
    },
    {
      method: "GET",
      path: "/metrics",
      policy: "local",
      envelope: "a",
      entry: {
        tag,
        summary: "Metrics for Prometheus",
        description: "On the machine itself, or for an admin.",
        answer: { type: "text/plain", description: "Prometheus' text format." },
      },
      serve: async () => ({ status: 200, contentType: metricsContentType, body: renderMetrics() }),
    },
  ];
}
