// Whether the gateway is well, and what it can do.
import { Type } from "../../../core/schema.ts";
import { anyObject, text, type Operations } from "../operation.ts";

const tag = "System";

export const systemOperations: Operations = {
  "GET /healthz": {
    tag,
    summary: "Is the process up",
    answer: Type.Object({ status: Type.Literal("up") }),
  },
  "GET /readyz": {
    tag,
    summary: "Does it take paid work",
    description: "503 with what stands in the way when it does not.",
    answer: Type.Object({ status: text(), obstacles: Type.Optional(Type.Array(text())) }),
  },
  "GET /metrics": {
    tag,
    summary: "Metrics for Prometheus",
    description: "On the machine itself, or for an admin.",
    answer: { type: "text/plain", description: "Prometheus' text format." },
  },
  "GET /openapi.json": { tag, summary: "This document", answer: anyObject },
  "GET /docs": {
    tag,
    summary: "This document as a page",
    answer: { type: "text/html", description: "A page that works without a network." },
  },
};
