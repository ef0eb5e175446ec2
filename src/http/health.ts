// Is it up, is it serving, and how is it doing.
import { jsonAnswer } from "../gateway/answer.ts";
import { metricsContentType } from "../observe/metrics.ts";
import type { Route } from "./route.ts";

export interface HealthParts {
  /** What keeps the gateway from taking paid work; empty when nothing does. */
  obstacles(): string[];
  renderMetrics(): string;
}

export function healthRoutes({ obstacles, renderMetrics }: HealthParts): Route[] {
  return [
    {
      method: "GET",
      path: "/healthz",
      policy: "public",
      envelope: "a",
      serve: async () => jsonAnswer({ status: "up" }),
    },
    {
      method: "GET",
      path: "/readyz",
      policy: "public",
      envelope: "a",
      async serve() {
        const found = obstacles();
        return found.length === 0
          ? jsonAnswer({ status: "ready" })
          : jsonAnswer({ status: "not ready", obstacles: found }, 503);
      },
    },
    {
      method: "GET",
      path: "/metrics",
      policy: "local",
      envelope: "a",
      serve: async () => ({ status: 200, contentType: metricsContentType, body: renderMetrics() }),
    },
  ];
}
