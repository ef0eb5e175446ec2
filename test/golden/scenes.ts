// Replies of vendors, whole and streamed, and how the gateway turns them into a client's.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../src/core/json.ts";
import { readEvents, SseSplitter } from "../../src/core/sse.ts";
import type { UpstreamDialect, Reply } from "../../src/formats/exchange.ts";
import { foldParts } from "../../src/formats/kit/fold.ts";
import { aliasNames } from "../../src/formats/kit/tool-names.ts";
import { Conversion } from "../../src/gateway/text/conversion.ts";
import {
  clientSide,
  dialects,
  folder,
  frameOf,
  readBodies,
  readFixture,
  upstreamSide,
} from "./matrix.ts";
import type { ClientName } from "./matrix.ts";

/** A client's question that is answered; some scenes have a question of their own. */
const asks = await readBodies("asks.json");

export interface Scenes {
  wholes: Record<string, JsonObject>;
  /** The raw text of each stream. */
  streams: Record<string, string>;
}

export const scenes = Object.fromEntries(
  await Promise.all(dialects.map(async (dialect) => [dialect, await readScenes(dialect)])),
) as Record<UpstreamDialect, Scenes>;

async function readScenes(dialect: UpstreamDialect): Promise<Scenes> {
  const wholes = await readBodies("replies", `${dialect}.json`);
  const files = await readdir(join(folder, "fixtures", "streams", dialect));
  const streams: Record<string, string> = {};
  for (const file of files.toSorted()) {
    const scene = file.replace(/\.sse$/, "").replaceAll("-", " ");
    streams[scene] = await readFixture("streams", dialect, file);
  }
  return { wholes, streams };
}

const single: ReadonlySet<ClientName> = new Set(["responses", "messages"]);
const withoutCustom: ReadonlySet<ClientName> = new Set(["completions", "messages", "content"]);
const unnamed: ReadonlySet<ClientName> = new Set(["completions"]);

/** A client gets no answer to what it cannot ask. */
export function canOccur(scene: string, client: ClientName): boolean {
  if (scene === "choices") return !single.has(client);
  if (scene === "custom tool") return !withoutCustom.has(client);
  return scene !== "long name" || !unnamed.has(client);
}

const faults: ReadonlySet<string> = new Set([
  "error",
  "nothing",
  "second start",
  "unreadable call",
  "unreadable call after a thought",
]);

/** An error, or an empty answer, which is one: the gateway writes it. */
export function isFault(scene: string, client: ClientName, way: "whole" | "streamed"): boolean {
  // A text need not go on.
  if (scene === "nothing" && client === "completions") return false;
  // Text before a call that could not be read has been shown by then.
  return faults.has(scene) || (scene === "malformed" && way === "streamed" && client !== "content");
}

export function askOf(client: ClientName, scene: string): JsonObject {
  const ask = asks[`${client} ${scene}`] ?? asks[client];
  if (!ask) throw new Error(`nothing is asked by ${client}`);
  return ask;
}

export function conversionOf(
  dialect: UpstreamDialect,
  client: ClientName,
  scene: string,
): Conversion {
  const frame = frameOf(client, askOf(client, scene));
  const upstream = upstreamSide(dialect);
  const { names, ids } = aliasNames(frame.exchange, upstream);
  const sides = { client: clientSide(client), upstream };
  return new Conversion({ ...sides, frame, names, ids });
}

/** The reply that a vendor's stream makes. */
export function foldStream(dialect: UpstreamDialect, stream: string): Reply {
  const decoder = upstreamSide(dialect).decodeStream();
  const parts = readEvents(stream).flatMap((event) => decoder.push(event));
  const reply = foldParts([...parts, ...decoder.close()]);
  if (!reply) throw new Error("the stream is not whole");
  return reply;
}

/** The client's stream, and at its end how the upstream's ended. */
export function convertStream(conversion: Conversion, pieces: Iterable<Uint8Array>): string {
  const stream = conversion.convertStream();
  const splitter = new SseSplitter();
  let written = "";
  for (const piece of pieces) {
    for (const event of splitter.push(piece)?.events ?? []) {
      const { text, end } = stream.push(event);
      written += text;
      if (end) return written + endingOf(stream, end);
    }
  }
  const { text, end } = stream.close();
  return written + text + endingOf(stream, end);
}

type Stream = ReturnType<Conversion["convertStream"]>;

function endingOf(stream: Stream, end: ReturnType<Stream["close"]>["end"]): string {
  if (!end) return "(cut)\n";
  // Usage that recorded vendors reported stands, whatever is asked here.
  if (end.kind === "end") return stream.finish(stream.observed().usage);
  return `(fault: ${end.message})\n`;
}
