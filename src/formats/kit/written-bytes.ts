// Bytes that conversion writes and the client's body does not have. The body's own bytes bound the
// rest: what stands in it once is sent once.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Exchange, Part } from "../exchange.ts";
import type { ClientSide, TextRequest } from "../format.ts";
import { noResult, toNormalForm } from "./normal-form.ts";

/** Words of a wire around a result or a declaration, such as its type and its role. */
const wordBytes = 96;

/** None where nothing in the body is told again, which is seen without decoding it. */
export function writtenBytes(client: ClientSide, body: JsonObject, request: TextRequest): number {
  return mayTellAgain(body) ? exchangeBytes(client.decodeRequest(body, request)) : 0;
}

function exchangeBytes(decoded: Exchange): number {
  const { turns, tools } = toNormalForm(decoded);
  let bytes = -freeBytes;
  for (const { parts } of turns) for (const part of parts) bytes += madeIdBytes(part);
  bytes = Math.max(bytes, 0);
  for (const { parts } of turns) for (const part of parts) bytes += resultBytes(part);
  for (const { name, group = "" } of tools) {
    if (group !== "") bytes += Buffer.byteLength(group);
    if (decoded.tools.length === 0) bytes += Buffer.byteLength(name) + wordBytes;
  }
  return bytes;
}

/** A vendor that pairs calls with results gets one for each call that has none. */
function resultBytes(part: Part): number {
  if (part.kind !== "result" || part.content !== noResult) return 0;
  return Buffer.byteLength(part.callId) + Buffer.byteLength(part.name ?? "") + wordBytes;
}

/** Ids of calls that came without one; each stands with the call and with its result. */
const madeId = /^(?:function_)?call_\d+$/;
const idBytes = 32;
/** The first few are among the words that are held for with every conversion. */
const freeBytes = 3 * idBytes;

function madeIdBytes(part: Part): number {
  return part.kind === "call" && madeId.test(part.id) ? idBytes : 0;
}

/** Whether there is a call, in whichever wire, or a group of tools. */
function mayTellAgain({ messages, input, contents, tools }: JsonObject): boolean {
  const turns = messages ?? input ?? contents;
  return holds(turns, isCallOrTurnWithOne) || holds(tools, isGroup);
}

function holds(list: Json | undefined, matches: (one: JsonObject) => boolean): boolean {
  return Array.isArray(list) && list.some((one) => isObject(one) && matches(one));
}

function isCallOrTurnWithOne(turn: JsonObject): boolean {
  const { content, parts, tools } = turn;
  return isCall(turn) || holds(content, isCall) || holds(parts, isCall) || holds(tools, isGroup);
}

function isCall({ type, tool_calls: calls, function_call: legacy, functionCall }: JsonObject) {
  if (calls !== undefined || legacy !== undefined || functionCall !== undefined) return true;
  return typeof type === "string" && (type === "tool_use" || type.endsWith("_call"));
}

function isGroup({ type }: JsonObject): boolean {
  return type === "namespace";
}
