// Every reply of a vendor that this repository keeps: those that clouds gave, those of the golden
// corpus, and those that quote what tools of the vendor found. A new file is found by itself.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { EventStreamCodec } from "@smithy/eventstream-codec";
import type { JsonObject } from "../../../src/core/json.ts";
import { readEvents } from "../../../src/core/sse.ts";
import { recordings } from "../clouds/recordings.ts";
import type { ReportDialect } from "./vendor-report.ts";

export interface VendorReplyFile {
  name: string;
  dialect: ReportDialect;
  /** Settings of a channel to the vendor that gave it. */
  channel: { type: string; format?: string };
  /** The vendor's name of the model. */
  upstream: string;
  isStream: boolean;
  contentType: string;
  bytes: Uint8Array;
  /** The whole reply, or each event of the stream. */
  events: JsonObject[];
}

const golden = join(import.meta.dir, "../../golden");
const frameStream = "application/vnd.amazon.eventstream";

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
);

const channels: Readonly<Record<ReportDialect, Pick<VendorReplyFile, "channel" | "upstream">>> = {
  chat: { channel: { type: "openai" }, upstream: "gpt-5.2" },
  responses: { channel: { type: "openai", format: "responses" }, upstream: "gpt-5.2" },
  messages: { channel: { type: "anthropic" }, upstream: "claude-opus-4-6" },
  content: { channel: { type: "google" }, upstream: "gemini-3-pro-preview" },
  converse: {
    channel: { type: "bedrock", format: "converse" },
    upstream: "anthropic.claude-opus-4-6-v1:0",
  },
};

/** Throws for a recording that nobody described, so that none is left out in silence. */
export function readVendorReplies(): VendorReplyFile[] {
  return [
    ...readRecordings(),
    ...readCorpus("golden", join(golden, "fixtures")),
    ...readCorpus("quoting", join(golden, "fixtures/quoting")),
  ];
}

function readRecordings(): VendorReplyFile[] {
  const files = readdirSync(join(golden, "recorded")).filter((file) => !file.endsWith(".md"));
  return files
    .filter((file) => file !== "bedrock-no-model.body")
    .map((file): VendorReplyFile => {
      const recording = recordings.find((one) => one.file === file);
      if (!recording) throw new Error(`${file} is not described in recordings.ts`);
      const { channel, upstream } = recording;
      const bytes = readFileSync(join(golden, "recorded", file));
      const isFrames = file.endsWith(".frames");
      const isStream = !file.endsWith(".body");
      return {
        name: `recorded ${file}`,
        dialect: dialectOf(channel),
        channel,
        upstream,
        isStream,
        contentType: isFrames ? frameStream : isStream ? "text/event-stream" : "application/json",
        bytes,
        events: isFrames ? eventsOfFrames(bytes) : eventsOfText(bytes.toString(), isStream),
      };
    });
}

function dialectOf({ type, format }: VendorReplyFile["channel"]): ReportDialect {
  const dialects = Object.keys(channels) as ReportDialect[];
  const own = dialects.find((dialect) => dialect === format);
  if (own) return own;
  return type === "azure" ? "chat" : type === "vertex" ? "content" : "messages";
}

function readCorpus(kind: string, folder: string): VendorReplyFile[] {
  const dialects = Object.keys(channels) as ReportDialect[];
  return dialects.flatMap((dialect) => [
    ...readWhole(kind, folder, dialect),
    ...readStreams(kind, folder, dialect),
  ]);
}

function readWhole(kind: string, folder: string, dialect: ReportDialect): VendorReplyFile[] {
  const files = readdirSync(join(folder, "replies")).filter((file) => file === `${dialect}.json`);
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, "replies", file), "utf8");
    const bodies = Object.entries(JSON.parse(text) as Record<string, JsonObject>);
    return bodies.map(([name, body]): VendorReplyFile => ({
      name: `${kind} ${dialect} whole: ${name}`,
      dialect,
      ...channels[dialect],
      isStream: false,
      contentType: "application/json",
      bytes: Buffer.from(JSON.stringify(body)),
      events: [body],
    }));
  });
}

function readStreams(kind: string, folder: string, dialect: ReportDialect): VendorReplyFile[] {
  const folders = readdirSync(join(folder, "streams"));
  if (!folders.includes(dialect)) return [];
  return readdirSync(join(folder, "streams", dialect)).map((file): VendorReplyFile => {
    const text = readFileSync(join(folder, "streams", dialect, file), "utf8");
    const isFramed = dialect === "converse";
    return {
      name: `${kind} ${dialect} stream: ${basename(file, ".sse")}`,
      dialect,
      ...channels[dialect],
      isStream: true,
      contentType: isFramed ? frameStream : "text/event-stream",
      bytes: isFramed ? framesOf(text) : Buffer.from(text),
      events: eventsOfText(text, true),
    };
  });
}

function eventsOfText(text: string, isStream: boolean): JsonObject[] {
  const bodies = isStream ? readEvents(text).map(({ data }) => data) : [text];
  return bodies.filter((data) => data !== "[DONE]").map((data) => JSON.parse(data) as JsonObject);
}

/** Frames of Converse hold the event, those of InvokeModel hold it in base64. */
function eventsOfFrames(bytes: Buffer): JsonObject[] {
  const events: JsonObject[] = [];
  for (let start = 0; start < bytes.length; start += bytes.readUInt32BE(start)) {
    const frame = bytes.subarray(start, start + bytes.readUInt32BE(start));
    const event = JSON.parse(Buffer.from(codec.decode(frame).body).toString()) as JsonObject;
    const { bytes: inner } = event;
    const text = typeof inner === "string" ? Buffer.from(inner, "base64").toString() : null;
    events.push(text === null ? event : (JSON.parse(text) as JsonObject));
  }
  return events;
}

function framesOf(text: string): Uint8Array {
  const frames = readEvents(text).map(({ event, data }) => {
    const header = (value: string) => ({ type: "string" as const, value });
    const headers = {
      ":event-type": header(event ?? "message"),
      ":content-type": header("application/json"),
      ":message-type": header("event"),
    };
    return Buffer.from(codec.encode({ headers, body: Buffer.from(data) }));
  });
  return Buffer.concat(frames);
}
