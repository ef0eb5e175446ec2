// Responses that an upstream keeps: read, listed and deleted where they were made. It costs nothing.
import type { Deadlines } from "../core/deadline.ts";
import { GatewayError } from "../core/errors.ts";
import { parseJson, type Json } from "../core/json.ts";
import type { Send } from "../core/outbound.ts";
import type { Origins } from "../distribution/origins.ts";
import type { Caller } from "../identity/caller.ts";
import { upstreams } from "../upstreams/index.ts";
import { jsonAnswer, type Answer } from "./answer.ts";
import type { Scope } from "./scope.ts";
import { within } from "./time-limit.ts";

export interface StoredParts {
  origins: Origins;
  send: Send;
  deadlines: Deadlines;
  firstByteMs: number;
}

export interface StoredCall {
  id: string;
  /** What of it, such as "input_items"; null for itself. */
  part: string | null;
  query: string;
  method: "GET" | "POST" | "DELETE";
  caller: Caller;
  scope: Scope;
}

const replyBytesMax = 64 * 1024 * 1024;

export async function callStored(parts: StoredParts, call: StoredCall): Promise<Answer> {
  const { caller, scope, id, part, query, method } = call;
  const origin = await parts.origins.find(caller.accountId, id);
  if (!origin) throw unknown();
  const { baseUrl, headers, type } = origin.channel.settings;
  const target = { baseUrl, key: origin.key.text, headers };
  const address = upstreams[type]?.text?.stored?.(part === null ? id : `${id}/${part}`, target);
  if (!address) throw unknown();
  const url = query === "" ? address.url : `${address.url}?${query}`;
  const reply = await within(parts.deadlines, parts.firstByteMs, scope, (signal) =>
    reach(parts, { url, headers: address.headers, method, signal }),
  );
  if (reply.status === 404) throw unknown();
  if (reply.status !== 200) throw new GatewayError("bad_response");
  return jsonAnswer(reply.body);
}

async function reach(
  { send }: StoredParts,
  request: Parameters<Send>[0],
): Promise<{ status: number; body: Json }> {
  try {
    const reply = await send(request);
    const bytes = await reply.bytes(replyBytesMax);
    return { status: reply.status, body: reply.status === 200 ? parseJson(bytes) : null };
  } catch (error) {
    throw new GatewayError("do_request_failed", { cause: error });
  }
}

function unknown(): GatewayError {
  return new GatewayError("not_found", { message: "There is no stored response with this id." });
}
