// Is it up, is it serving, and how is it doing.
import { text, word } from "../core/schema-words.ts";
import { Type } from "../core/schema.ts";
import { jsonAnswer } from "../gateway/answer.ts";
import { metricsContentType } from "../observe/metrics.ts";
import type { Route } from "./route.ts";

const tag = "System";

export interface Readiness {
  /** Whether there may be others beside it. */
  role: "alone" | "node";
  /** Obstacles to paid work; empty when there are none. */
  obstacles: string[];
  /** The complaint of each part. */
  parts: Record<string, string>;
}

interface HealthNeeds {
  readiness(): Readiness;
  renderMetrics(): string;
}

export function healthRoutes({ readiness, renderMetrics }: HealthNeeds): Route[] {
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
        answer: Type.Object({
          status: text(),
          role: {
            ...word("alone", "node"),
            description:
              "Whether it has its database to itself, or is a node that may have others.",
          },
          parts: Type.Record(Type.String(), Type.String(), {
            description: "Each part that paid work needs: ready, or what is the matter with it.",
          }),
          obstacles: Type.Optional(Type.Array(text())),
        }),
      },
      async serve() {
        const { obstacles, role, parts } = readiness();
        return obstacles.length === 0
          ? jsonAnswer({ status: "ready", role, parts })
          : jsonAnswer({ status: "not ready", role, parts, obstacles }, 503);
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
