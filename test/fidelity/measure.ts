// Arrivals of every recorded reply, for a client of every format on an upstream of every wire.
import { GatewayError } from "../../src/core/errors.ts";
import { isObject, type JsonObject } from "../../src/core/json.ts";
import { readEvents } from "../../src/core/sse.ts";
import type { UpstreamDialect } from "../../src/formats/exchange.ts";
import { formats } from "../../src/formats/index.ts";
import { clients, dialects, upstreamSide, type ClientName } from "../golden/matrix.ts";
import {
  askOf,
  canOccur,
  conversionOf,
  convertStream,
  foldStream,
  isFault,
  scenes,
} from "../golden/scenes.ts";
import { readers } from "../golden/wire/index.ts";
import { viewOf, type Hearing } from "./view.ts";
import { factsOf, kinds, usageFact, type Facts, type Kind } from "./facts.ts";

export interface Count {
  held: number;
  of: number;
}
export type Counts = Record<Kind, Count>;

export interface Cell extends Hearing {
  counts: Counts;
  /** Facts that did not arrive, as `scene: kind`. */
  missed: string[];
}

export function measureAll(): Cell[] {
  return clients.flatMap((client) =>
    dialects.flatMap((upstream) => [
      measureCell(client, upstream, "whole"),
      measureCell(client, upstream, "streamed"),
    ]),
  );
}

function measureCell(client: ClientName, upstream: UpstreamDialect, way: Cell["way"]): Cell {
  const counts = Object.fromEntries(kinds.map((kind) => [kind, { held: 0, of: 0 }])) as Counts;
  const cell: Cell = { client, upstream, way, counts, missed: [] };
  const { wholes, streams } = scenes[upstream];
  const names = Object.keys(way === "whole" ? wholes : streams);
  for (const scene of names.filter((name) => canOccur(name, client))) {
    if (isFault(scene, client, way)) countError(cell, scene);
    else countScene(cell, scene);
  }
  return cell;
}

/**
 * Errors instead of an answer: the vendor's words, or what is wrong, in the client's own kind of
 * error.
 */
function countError(cell: Cell, scene: string): void {
  const { client, upstream, way } = cell;
  const { wholes, streams } = scenes[upstream];
  const conversion = conversionOf(upstream, client, scene);
  if (way === "whole") {
    const observed = conversion.convertReply(wholes[scene], new Uint8Array())?.observed;
    return count(cell, scene, "errors", observed === undefined || observed.isEmpty === true);
  }
  const converted = convertStream(conversion, [encode(streams[scene] ?? "")]);
  const message = /\(fault: (.*)\)\n$/.exec(converted)?.[1] ?? "";
  const error = new GatewayError("bad_response", { message });
  const told = new TextDecoder().decode(formats[client].encodeError(error, "req_1"));
  count(cell, scene, "errors", message !== "" && told.includes(JSON.stringify(message)));
}

function countScene(cell: Cell, scene: string): void {
  const sent = sentIn(cell, scene);
  const arrived = cell.client === cell.upstream ? sent : arrivedFrom(cell, scene);
  for (const kind of kinds) {
    const wanted = sent[kind];
    if (kind === "usage" && cell.way === "streamed" && !asksForUsage(cell, scene)) continue;
    if (arrived === failure && kind !== "ends") continue;
    if (wanted !== undefined && hasPlace(cell.client, kind)) {
      count(cell, scene, kind, arrives(kind, wanted, arrived[kind]));
    }
  }
}

/** Google's list of pages has also those that were only looked at. */
function arrives(kind: Kind, sent: string, arrived: string | undefined): boolean {
  if (kind !== "citations" || arrived === undefined) return arrived === sent;
  const sources = (fact: string) => (JSON.parse(fact) as string[]).map((one) => one.split("\n"));
  const there = sources(arrived);
  return sources(sent).every((choice, at) => choice.every((one) => there[at]?.includes(one)));
}

function count(cell: Cell, scene: string, kind: Kind, isHeld: boolean): void {
  const counted = cell.counts[kind];
  counted.of++;
  if (isHeld) counted.held++;
  else cell.missed.push(`${scene}: ${kind}`);
}

/** In streams of these two formats it is told to who asks for it. */
function asksForUsage({ client }: Cell, scene: string): boolean {
  if (client !== "chat" && client !== "completions") return true;
  const options = askOf(client, scene)["stream_options"];
  return isObject(options) && options["include_usage"] === true;
}

/** The oldest format has text alone. */
export function hasPlace(client: ClientName, kind: Kind): boolean {
  return client !== "completions" || !["reasoning", "tools", "citations"].includes(kind);
}

function sentIn(cell: Cell, scene: string): Facts {
  const { client, upstream, way } = cell;
  const { wholes, streams } = scenes[upstream];
  const reply =
    way === "streamed"
      ? foldStream(upstream, streams[scene] ?? "")
      : upstreamSide(upstream).decodeReply(wholes[scene]);
  if (!reply) throw new Error(`${scene} of ${upstream} is no reply`);
  return factsOf(client === upstream ? reply : viewOf(reply, cell, scene));
}

function arrivedFrom({ client, upstream, way }: Cell, scene: string): Facts {
  const { wholes, streams } = scenes[upstream];
  const conversion = conversionOf(upstream, client, scene);
  if (way === "streamed") {
    const stream = convertStream(conversion, [encode(streams[scene] ?? "")]);
    return client === "completions" ? oldFacts(stream) : streamFacts(client, stream);
  }
  const body = conversion.convertReply(wholes[scene], new Uint8Array())?.body;
  if (!body) return {};
  if (client === "completions") return oldFacts(toOldStream(body));
  const reply = upstreamSide(client).decodeReply(body);
  return reply ? factsOf(reply) : failure;
}

/** An answer of its own model that a vendor could not read is nothing but a failure to some. */
const failure: Facts = { ends: '["malformed"]' };

function streamFacts(client: UpstreamDialect, stream: string): Facts {
  const decoder = upstreamSide(client).decodeStream();
  const parts = readEvents(stream).flatMap((event) => decoder.push(event));
  const isFailure = parts.some(({ kind }) => kind === "fault");
  return isFailure ? failure : factsOf(foldStream(client, stream));
}

/** Legacy completions are no upstream's wire, so they are read as their clients read them. */
function oldFacts(stream: string): Facts {
  const { choices, usage } = readers.completions(stream);
  const none = { cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  const counted = usage && { inputTokens: 0, outputTokens: 0, ...none, ...usage };
  const facts = factsOf({
    id: null,
    choices: choices.map(({ text, finish }) => ({
      parts: [{ kind: "text", text }],
      stop: finish === "length" ? "length" : finish === "content_filter" ? "filter" : "stop",
      stopSequence: null,
    })),
    usage: null,
  });
  return { ...facts, ...(counted && { usage: usageFact(counted) }) };
}

/** A whole completion is one chunk of a stream that has no other, and its usage. */
function toOldStream(body: JsonObject): string {
  const { usage, ...rest } = body;
  const chunks = isObject(usage) ? [rest, { ...rest, choices: [], usage }] : [rest];
  return [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"]
    .map((data) => `data: ${data}\n\n`)
    .join("");
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
