// Settings of what is told to those who watch: traces for a collector.
import { Type } from "../core/schema.ts";
import { baseUrl } from "./fields.ts";
import { milliseconds, orVariable, section, wholeSetting } from "./setting.ts";

const collectorHeaders = Type.Record(Type.String(), Type.String({ maxLength: 4096 }), {
  maxProperties: 32,
  default: {},
  description: "Headers for the collector, such as its credential.",
});

export const tracingSection = section("Traces over OTLP/HTTP; off without an endpoint.", {
  endpoint: orVariable(
    "SLUICE_OTLP_ENDPOINT",
    Type.Optional(baseUrl("Address of the collector; spans go to /v1/traces below it.")),
  ),
  headers: collectorHeaders,
  service_name: Type.String({
    minLength: 1,
    maxLength: 200,
    default: "sluice",
    description: "The service's name in traces.",
  }),
  sample_ratio: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: "Share of the traces that begin here; others do as their callers do.",
  }),
  queue_max: wholeSetting("Spans that may wait for the collector; more are dropped.", {
    default: 8192,
    maximum: 1_000_000,
  }),
  interval_ms: milliseconds("How often spans are sent.", 2000),
});
