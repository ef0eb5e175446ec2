// What is sent to a collector, where one is named.
import type { Config } from "../config/config.ts";
import { systemTimers } from "../core/clock.ts";
import { version } from "../core/version.ts";
import { OtlpExporter } from "../observe/otlp/exporter.ts";
import { encodeSpans, type Span } from "../observe/otlp/spans.ts";
import { Tracer } from "../observe/otlp/tracer.ts";
import type { TelemetryState } from "../observe/gauges.ts";
import type { Control } from "./control.ts";

export interface Telemetry {
  /** Null where nothing is traced. */
  tracer: Tracer | null;
  states(): readonly TelemetryState[];
  /** Sends what waits. */
  close(): Promise<void>;
}

export function createTelemetry({ tracing }: Config, control: Control): Telemetry {
  const { endpoint, headers, sampleRatio, serviceName, queueMax, intervalMs } = tracing;
  const { send, deadlines, log, random } = control;
  if (endpoint === undefined) return { tracer: null, states: () => [], close: async () => {} };
  const service = { name: serviceName, version };
  const exporter = new OtlpExporter<Span>({
    send,
    deadlines,
    timers: systemTimers,
    log,
    url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
    headers,
    queueMax,
    intervalMs,
    encode: (spans) => encodeSpans(service, spans),
  });
  return {
    tracer: new Tracer({ exporter, random, sampleRatio }),
    states: () => [{ signal: "traces", sent: exporter.sent, dropped: exporter.dropped }],
    close: () => exporter.close(),
  };
}
