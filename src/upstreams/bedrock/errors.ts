// Bedrock's errors. Their name stands in a header, sometimes in the body, and hardly ever beside
// the message; Mantle's have the shapes of the wires that it speaks.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { toFault } from "../kit/fault.ts";
import { suspectFault } from "../kit/suspect.ts";
import { textOf } from "../kit/vendor-reply.ts";
import { readOpenaiFault } from "../openai-wire-faults.ts";
import type { Fault } from "../upstream.ts";
import { meaningOf } from "./exceptions.ts";

const requestStatuses = new Set([400, 409, 413, 415, 422]);

export function readFault(status: number, headers: Headers, body: Json, baseUrl?: string): Fault {
  const holder = isObject(body) ? body : {};
  const error = isObject(holder["error"]) ? holder["error"] : null;
  const exception = exceptionOf(headers, error ?? holder);
  // In the shape of OpenAI's or of Anthropic's wire, by its own words.
  if (error && !exception) return readOpenaiFault(status, headers, body, baseUrl);
  const message = messageIn(error ?? holder) ?? `the upstream answered with status ${status}`;
  const meaning = meaningOf(exception);
  const blame = meaning ? proseBlame(meaning.blame, message) : blameOf(status);
  if (blame === "size") return { blame, status: 413, message, retryAfterSeconds: null };
  if (blame === "suspect")
    return suspectFault(status === 402 ? 402 : 403, message) ?? unknown(message);
  // Under a load its status may be that of a bad request.
  const shownStatus = blame === "load" ? 429 : status;
  const fault = toFault(blame, { status: shownStatus, headers, message, isContent: false });
  return fault.blame === "load" ? rested(fault) : fault;
}

const unknown = (message: string): Fault => ({ blame: "channel", message });

/** Such as `ValidationException:http://…` in a header, `com.amazon#ValidationException` in a body. */
function exceptionOf(headers: Headers, error: JsonObject): string {
  const names = [headers.get("x-amzn-errortype"), error["exception"], error["__type"]];
  const name = names.map(textOf).find((text) => text !== null) ?? "";
  return name.replace(/^.*#/, "").replace(/:.*$/, "");
}

function messageIn({ message, Message: older }: JsonObject): string | null {
  return textOf(message) ?? textOf(older);
}

function blameOf(status: number): Fault["blame"] {
  if (status === 401) return "key";
  if (status === 402 || status === 403) return "suspect";
  if (status === 429) return "load";
  return requestStatuses.has(status) ? "request" : "channel";
}

/**
 * The vendor has one name for a wrong request, for a model that the channel cannot reach, and for
 * one that is too large, and one for a bad key and a clock that is wrong: only its prose tells them
 * apart. Each of these lets the next channel try, and none of them rests a key.
 */
const prose: readonly [blame: "channel" | "size", words: RegExp][] = [
  ["channel", /model identifier is invalid|on-demand throughput isn.t supported/i],
  ["channel", /end of its life|is not supported in this region|inference profile/i],
  ["channel", /signature (?:expired|not yet current)/i],
  ["size", /input is too long|too large|exceeds the maximum (?:size|length)|prompt is too long/i],
];

function proseBlame(blame: Fault["blame"], message: string): Fault["blame"] {
  if (blame !== "request" && blame !== "key") return blame;
  const meant = prose.find(([, words]) => words.test(message))?.[0] ?? blame;
  return blame === "key" && meant === "size" ? blame : meant;
}

const dayRestSeconds = 60;

/** A quota of the day tells no time to come back. */
function rested(fault: Extract<Fault, { blame: "load" }>): Fault {
  const isOfDay = fault.retryAfterSeconds === null && /per day/i.test(fault.message);
  return isOfDay ? { ...fault, retryAfterSeconds: dayRestSeconds } : fault;
}
