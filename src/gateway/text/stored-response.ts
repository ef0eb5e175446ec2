// Responses that an upstream keeps, or the gateway for a while: read, listed and deleted where they
// were made. It costs nothing.
import type { Deadlines } from "../../core/deadline.ts";
import { GatewayError } from "../../core/errors.ts";
import { parseJson, type Json, type JsonObject } from "../../core/json.ts";
import type { Send } from "../../core/outbound.ts";
import type { Origins } from "../../distribution/origins.ts";
import { responses } from "../../formats/responses/index.ts";
import {
  renderDeleted,
  renderInput,
  renderResponse,
} from "../../formats/responses/memory/render.ts";
import type { Caller } from "../../identity/caller.ts";
import { upstreams } from "../../upstreams/index.ts";
import type { Fault } from "../../upstreams/upstream.ts";
import { jsonAnswer, type Answer } from "../answer.ts";
import { readKept } from "./memory/recall-text.ts";
import type { KeptBytes } from "./memory/kept-bytes.ts";
import type { ResponseMemory } from "./memory/response-memory.ts";
import type { Scope } from "../scope.ts";
import { passOf, targetOf } from "../target.ts";
import { within } from "../time-limit.ts";
import { teller } from "../conceal.ts";
import { toAttempt } from "../vendor-fault.ts";

export interface StoredNeeds {
  origins: Origins;
  memory: ResponseMemory;
  send: Send;
  deadlines: Deadlines;
  firstByteMs: number;
}

interface StoredCall {
  id: string;
  /** The wanted part, such as "input_items"; null for the response itself. */
  part: string | null;
  query: string;
  method: "GET" | "POST" | "DELETE";
  caller: Caller;
  scope: Scope;
}

const replyBytesMax = 64 * 1024 * 1024;

export async function callStored(needs: StoredNeeds, call: StoredCall): Promise<Answer> {
  const { caller, scope, id, part, query, method } = call;
  const kept = await findKept(needs.memory, call);
  if (kept) return jsonAnswer(await callKept(needs.memory, call, kept));
  const origin = await needs.origins.find(caller, id);
  if (!origin) throw unknown();
  const { type, transport } = origin.channel.settings;
  const target = targetOf({ settings: origin.channel.settings, key: origin.key });
  const upstream = upstreams[type];
  const address = upstream?.text?.stored?.(part === null ? id : `${id}/${part}`, target);
  if (!upstream || !address) throw unknown();
  const pass = passOf(address, origin.key);
  const url = query === "" ? address.url : joinQuery(address.url, query);
  const {
    status,
    headers: vendorHeaders,
    body,
  } = await within(needs.deadlines, needs.firstByteMs, scope, (signal) =>
    reach(needs, { url, headers: address.headers, method, transport, pass, signal }),
  );
  if (status === 404) throw unknown();
  if (status === 200 && body !== null) return jsonAnswer(body);
  if (status === 200) throw new GatewayError("bad_response_body");
  const { settings } = origin.channel;
  const fault = ofRequest(
    upstream.readFault(status, vendorHeaders, body, settings.baseUrl),
    status,
  );
  const attempt = toAttempt(fault, teller({ settings, key: origin.key }));
  throw "error" in attempt ? attempt.error : new GatewayError("bad_response");
}

/** Here, or on another node. */
async function findKept(memory: ResponseMemory, { caller, id }: StoredCall) {
  const kept = memory.find(caller, id);
  if (!memory.isShared) return kept;
  if (kept) await memory.dropGone(caller, [id]);
  else await memory.fetch(caller, [id]);
  return memory.find(caller, id);
}

/** Some addresses have a version in their query. */
function joinQuery(url: string, query: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}${query}`;
}

/** These are about the key, or about money: the vendor's words on them are not for clients. */
const ofKey = new Set([401, 402, 403, 429]);

/** Nothing was chosen here, so a 4xx that no other upstream could help with is the client's own. */
function ofRequest(fault: Fault, status: number): Fault {
  if (fault.blame !== "channel" || status < 400 || status > 499 || ofKey.has(status)) return fault;
  const { message } = fault;
  return {
    blame: "request",
    status,
    type: "invalid_request_error",
    code: null,
    param: null,
    message,
  };
}

async function callKept(
  memory: ResponseMemory,
  call: StoredCall,
  keptBytes: KeptBytes,
): Promise<JsonObject> {
  const { id, part, method, query, caller } = call;
  if (part === "cancel") {
    const message = "Only a response that is made in the background can be cancelled.";
    throw new GatewayError("invalid_request", { message });
  }
  if (method === "DELETE") {
    await memory.forget(caller, id);
    return renderDeleted(id);
  }
  const kept = readKept(responses, keptBytes);
  if (!kept) throw unknown();
  if (part === null) return renderResponse(kept);
  if (!kept.input) throw unknown();
  return renderInput(id, kept.input, query);
}

async function reach(
  { send }: StoredNeeds,
  request: Parameters<Send>[0],
): Promise<{ status: number; headers: Headers; body: Json }> {
  try {
    const { status, headers, bytes } = await whole(send, request);
    return { status, headers, body: parseOrNull(bytes) };
  } catch (error) {
    throw new GatewayError("do_request_failed", { cause: error });
  }
}

async function whole(send: Send, request: Parameters<Send>[0]) {
  const reply = await send(request);
  const { status, headers } = reply;
  return { status, headers, bytes: await reply.bytes(replyBytesMax) };
}

/** Bytes that are not JSON say nothing. */
function parseOrNull(bytes: Uint8Array): Json {
  try {
    return parseJson(bytes);
  } catch {
    return null;
  }
}

function unknown(): GatewayError {
  return new GatewayError("not_found", { message: "There is no stored response with this id." });
}
