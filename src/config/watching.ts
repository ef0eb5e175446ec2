// Settings of what is told to those who watch: traces for a collector, and contents where a key
// says so.
import { Type } from "../core/schema.ts";
import { baseUrl } from "./fields.ts";
import { mebibyte, milliseconds, orVariable, section, wholeSetting } from "./setting.ts";

const collectorHeaders = Type.Record(Type.String(), Type.String({ maxLength: 4096 }), {
  maxProperties: 32,
  default: {},
  description: "Headers for the collector, such as its credential.",
});

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "g").exec("") === null;
  } catch {
    return false;
  }
}

export const contentLogSection = section("Prompts and answers of keys with log_content.", {
  enabled: Type.Boolean({
    default: false,
    description: "Keep prompts and answers of the keys that say so; without it of none.",
  }),
  endpoint: Type.Optional(
    baseUrl("Collector that gets them, at /v1/logs below it. Default: the data folder."),
  ),
  headers: collectorHeaders,
  retention_days: wholeSetting("Days a file of the data folder is kept.", {
    default: 7,
    maximum: 3650,
  }),
  bytes_max: wholeSetting("Bytes of all files together; past it the oldest go first.", {
    default: 1024 * mebibyte,
    maximum: 1024 * 1024 * mebibyte,
  }),
  text_characters_max: wholeSetting("Characters kept of a prompt, and of an answer.", {
    default: 65_536,
    maximum: 1_000_000,
  }),
  redact: Type.Array(Type.Enum(["secrets", "emails", "cards"]), {
    uniqueItems: true,
    default: ["secrets", "emails", "cards"],
    description: "What is taken out before anything is kept.",
  }),
  patterns: Type.Array(
    Type.Refine(
      Type.String({ minLength: 1, maxLength: 500 }),
      isPattern,
      () => "must be a regular expression that does not match the empty text",
    ),
    {
      maxItems: 50,
      default: [],
      description: "Regular expressions of what else is taken out.",
    },
  ),
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
