// Record of a request and its answer where its key says so, after redaction.
import { attributesOf, nanosOf } from "../otlp/attributes.ts";
import type { Redactor } from "./redact.ts";

export interface ContentRecord {
  time: string;
  request: string;
  account: string;
  key: string;
  route: string;
  model: string;
  channel: string | null;
  stream: boolean;
  status: number;
  outcome: string;
  prompt: string[];
  answer: string[];
  /** Some of it was too long to be kept. */
  cut: boolean;
}

/** A secret that lies across the bound is still seen as a whole. */
const slack = 512;

/** The texts, redacted and together no longer than the bound. */
export function keptTexts(
  texts: readonly string[],
  redact: Redactor,
  charactersMax: number,
): { kept: string[]; isCut: boolean } {
  const kept: string[] = [];
  let room = charactersMax;
  let isCut = false;
  for (const text of texts) {
    if (room <= 0) return { kept, isCut: true };
    const clean = redact(text.slice(0, room + slack)).slice(0, room);
    isCut ||= text.length > room;
    room -= clean.length;
    kept.push(clean);
  }
  return { kept, isCut };
}

/** The body of a call to a collector. */
export function encodeRecords(
  service: { name: string; version: string },
  records: readonly ContentRecord[],
): string {
  const logRecords = records.map(({ time, prompt, answer, ...facts }) => ({
    timeUnixNano: nanosOf(Date.parse(time)),
    severityNumber: 9,
    eventName: "gen_ai.client.inference.operation.details",
    body: { stringValue: JSON.stringify({ prompt, answer }) },
    attributes: attributesOf({
      "gen_ai.request.model": facts.model,
      "http.route": facts.route,
      "http.response.status_code": facts.status,
      "sluice.request.id": facts.request,
      "sluice.account.id": facts.account,
      "sluice.key.id": facts.key,
      "sluice.channel": facts.channel,
      "sluice.stream": facts.stream,
      "sluice.outcome": facts.outcome,
      "sluice.cut": facts.cut,
    }),
  }));
  const { name, version } = service;
  const attributes = attributesOf({ "service.name": name, "service.version": version });
  const scope = { name: "sluice", version };
  return JSON.stringify({
    resourceLogs: [{ resource: { attributes }, scopeLogs: [{ scope, logRecords }] }],
  });
}
