// One attempt of a text request on one channel: encode, send, and read up to the point where it is
// certain that the channel serves it, which for a stream is its first event.
import type { Deadlines } from "../core/deadline.ts";
import { GatewayError } from "../core/errors.ts";
import { parseJson, type Json, type JsonObject } from "../core/json.ts";
import { scrub } from "../core/log.ts";
import { BodyTooLarge, type OutboundReply, type Send } from "../core/outbound.ts";
import { SseOverflow } from "../core/sse.ts";
import type { ChannelSettings } from "../distribution/channel.ts";
import type { Choice } from "../distribution/choose.ts";
import type { Format, Reply, StreamObserver, TextRequest } from "../formats/format.ts";
import { upstreams } from "../upstreams/index.ts";
import type { Fault, Upstream } from "../upstreams/upstream.ts";
import type { Attempt } from "./attempt.ts";
import { EventPump, type Conceal, type Piece } from "./event-pump.ts";
import { hopHeader, type Scope } from "./scope.ts";

export interface TextTry {
  format: Format;
  request: TextRequest;
  body: JsonObject;
  scope: Scope;
}

export interface TryParts {
  send: Send;
  deadlines: Deadlines;
  firstByteMs: number;
}

export type ServedText =
  | { kind: "whole"; bytes: Uint8Array; reply: Reply }
  | {
      kind: "stream";
      pump: EventPump;
      observer: StreamObserver;
      first: Piece;
      abort: AbortController;
    };

const replyBytesMax = 64 * 1024 * 1024;
const errorBytesMax = 256 * 1024;

export function servesText({ type, format }: ChannelSettings, wanted: Format): boolean {
  const formats = upstreams[type]?.text?.formats ?? [];
  // A channel that is set to another dialect needs a conversion first.
  return formats.includes(wanted.name) && (format === null || format === formats[0]);
}

export async function tryText(
  parts: TryParts,
  { format, request, body, scope }: TextTry,
  { channel, key }: Choice,
): Promise<Attempt<ServedText>> {
  const { settings } = channel;
  const upstream = upstreams[settings.type];
  if (!upstream?.text) throw new GatewayError("model_not_found");
  const address = upstream.text.address(format, {
    baseUrl: settings.baseUrl,
    key: key.text,
    headers: settings.headers,
  });
  const abort = new AbortController();
  const leave = () => abort.abort();
  // Never removed: it goes with the request, and aborting what has ended does nothing.
  scope.signal.addEventListener("abort", leave);
  const watch = parts.deadlines.watch(parts.firstByteMs, leave);
  const conceal = concealer(key.text);
  try {
    const reply = await parts.send({
      url: address.url,
      method: "POST",
      headers: {
        ...address.headers,
        "content-type": "application/json",
        "accept-encoding": "identity",
        "user-agent": "sluice",
        [hopHeader]: String(scope.hops + 1),
      },
      body: JSON.stringify(
        override(settings, format.forward(body, channel.upstreamModel(request.model))),
      ),
      signal: abort.signal,
    });
    if (reply.status !== 200) return await readRefusal(upstream, reply, conceal);
    if (!request.stream) return await readWhole(format, reply);
    return await readFirst(format, request, { reply, abort, conceal });
  } catch (error) {
    if (scope.signal.aborted) return { kind: "abandoned" };
    const failure = toFailure(error, abort.signal.aborted);
    // What could not be read may have more to come.
    abort.abort();
    return failed(failure);
  } finally {
    watch.end();
  }
}

function override(settings: ChannelSettings, body: JsonObject): JsonObject {
  const { parametersSet, parametersRemoved, dropStore } = settings;
  // The body is the channel's own copy already, made when its model was set.
  const changed = body;
  for (const [name, value] of Object.entries(parametersSet)) changed[name] = value;
  for (const name of parametersRemoved) delete changed[name];
  if (dropStore) delete changed["store"];
  return changed;
}

async function readWhole(format: Format, reply: OutboundReply): Promise<Attempt<ServedText>> {
  const bytes = await reply.bytes(replyBytesMax);
  const read = format.readReply(parseOrNull(bytes));
  if (!read) return failed(new GatewayError("bad_response_body"));
  return { kind: "served", value: { kind: "whole", bytes, reply: read } };
}

const keyCharactersMin = 8;

/** A key goes by its text, whatever it looks like, unless it may as well be a word. */
function concealer(key: string): Conceal {
  const isWord = key.length < keyCharactersMin;
  return (text) => scrub(isWord ? text : text.replaceAll(key, "[secret]"));
}

interface Reading {
  reply: OutboundReply;
  abort: AbortController;
  conceal: Conceal;
}

async function readFirst(
  format: Format,
  request: TextRequest,
  { reply, abort, conceal }: Reading,
): Promise<Attempt<ServedText>> {
  if (!(reply.headers.get("content-type") ?? "").includes("text/event-stream")) {
    reply.cancel();
    return failed(new GatewayError("bad_response_body"));
  }
  const observer = format.observe(request);
  const pump = new EventPump(reply, observer, conceal);
  const first = await pump.next();
  if (first.kind === "cut" || (first.kind === "fault" && first.bytes.length === 0)) {
    abort.abort();
    const message = first.kind === "fault" ? first.message : "The stream broke off.";
    return failed(new GatewayError("bad_response", { message }));
  }
  return { kind: "served", value: { kind: "stream", pump, observer, first, abort } };
}

async function readRefusal(
  upstream: Upstream,
  reply: OutboundReply,
  conceal: Conceal,
): Promise<Attempt<ServedText>> {
  const bytes = await reply.bytes(errorBytesMax);
  const fault = upstream.readFault(reply.status, reply.headers, parseOrNull(bytes));
  return toAttempt(fault, conceal(fault.message));
}

function toAttempt(fault: Fault, message: string): Attempt<ServedText> {
  switch (fault.blame) {
    case "request": {
      const { status, type, code, param } = fault;
      const shown = { status, type, code };
      const details = param === null ? { message, shown } : { message, shown, param };
      return { kind: "refused", error: new GatewayError("upstream_refused", details) };
    }
    case "key":
      // The vendor's words may name the key or the account behind it: they are for the log alone.
      return { ...failed(new GatewayError("bad_response", { cause: message })), blame: "key" };
    case "load": {
      const retryAfterSeconds = Math.max(1, Math.ceil(fault.retryAfterSeconds ?? 1));
      const error = new GatewayError("too_many_requests", { retryAfterSeconds });
      return { ...failed(error), blame: "load", restMs: retryAfterSeconds * 1000 };
    }
    case "channel":
      return failed(new GatewayError("bad_response", { cause: message }));
  }
}

function failed(error: GatewayError): Extract<Attempt<never>, { kind: "failed" }> {
  return { kind: "failed", blame: "channel", error };
}

function toFailure(error: unknown, isTimeout: boolean): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof BodyTooLarge || error instanceof SseOverflow) {
    return new GatewayError("bad_response_body", { cause: error });
  }
  const message = isTimeout ? { message: "The upstream did not answer in time." } : {};
  return new GatewayError("do_request_failed", { ...message, cause: error });
}

function parseOrNull(bytes: Uint8Array): Json {
  try {
    return parseJson(bytes);
  } catch {
    return null;
  }
}
