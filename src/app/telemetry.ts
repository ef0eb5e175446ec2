// Records of requests for those who watch: traces and contents, where they are on.
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { version } from "../core/version.ts";
import { ContentFiles, expireFiles, type KeptFiles } from "../observe/content/content-files.ts";
import { ContentLog } from "../observe/content/content-log.ts";
import { encodeRecords, type ContentRecord } from "../observe/content/record.ts";
import { createRedactor } from "../observe/content/redact.ts";
import type { TelemetryState } from "../observe/gauges.ts";
import { OtlpExporter } from "../observe/otlp/exporter.ts";
import { encodeSpans, type Span } from "../observe/otlp/spans.ts";
import { Tracer } from "../observe/otlp/tracer.ts";
import type { Control } from "./control.ts";

export interface Telemetry {
  /** Null where nothing is traced. */
  tracer: Tracer | null;
  /** Null where no contents are kept. */
  contents: ContentLog | null;
  states(): readonly TelemetryState[];
  expire(): Promise<void>;
  /** Sends and writes what waits. */
  close(): Promise<void>;
}

export function createTelemetry(config: Config, control: Control): Telemetry {
  const spans = createSpans(config, control);
  const { sampleRatio } = config.tracing;
  const { random, machine } = control;
  const { retentionDays, bytesMax } = config.contentLog;
  const files = { folder: join(config.dataFolder, "content"), retentionDays, bytesMax };
  const contents = createContents(config, control, files);
  return {
    tracer: spans && new Tracer({ exporter: spans, random, sampleRatio }),
    contents,
    states: () => [
      ...(spans ? [{ signal: "traces" as const, sent: spans.sent, dropped: spans.dropped }] : []),
      ...(contents
        ? [{ signal: "contents" as const, sent: contents.sent, dropped: contents.dropped }]
        : []),
    ],
    // Also of what was kept before it was switched off.
    expire: () => expireFiles(files, machine.clock.nowMs()),
    async close() {
      await Promise.all([spans?.close(), contents?.close()]);
    },
  };
}

function createSpans({ tracing }: Config, control: Control): OtlpExporter<Span> | null {
  const { endpoint, headers, serviceName, queueMax, intervalMs } = tracing;
  const { send, deadlines, log, machine } = control;
  if (endpoint === undefined) return null;
  const service = { name: serviceName, version };
  return new OtlpExporter<Span>({
    send,
    deadlines,
    timers: machine.timers,
    log,
    url: below(endpoint, "traces"),
    headers,
    queueMax,
    intervalMs,
    encode: (items) => encodeSpans(service, items),
  });
}

/** Records are large, so fewer of them wait than of spans. */
const recordsMax = 500;

function createContents(
  { contentLog, tracing }: Config,
  { send, deadlines, log, machine: { clock, timers } }: Control,
  files: KeptFiles,
): ContentLog | null {
  const { enabled, endpoint, headers, redact, patterns, textCharactersMax } = contentLog;
  if (!enabled) return null;
  const service = { name: tracing.serviceName, version };
  const sink =
    endpoint === undefined
      ? new ContentFiles({ clock, timers, log, files })
      : new OtlpExporter<ContentRecord>({
          send,
          deadlines,
          timers,
          log,
          url: below(endpoint, "logs"),
          headers,
          queueMax: recordsMax,
          intervalMs: tracing.intervalMs,
          encode: (items) => encodeRecords(service, items),
        });
  const redactor = createRedactor(redact, patterns);
  return new ContentLog({ sink, redact: redactor, charactersMax: textCharactersMax });
}

function below(endpoint: string, signal: string): string {
  return `${endpoint.replace(/\/+$/, "")}/v1/${signal}`;
}
