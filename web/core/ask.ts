// Asking models as a program does, with a key of this page that ends with the session. The key is
// in a variable and nowhere else.
import type { SessionKey } from "../../src/admin/contract.ts";
import { ApiError, call } from "./api.ts";
import { get, type Answer } from "./control.ts";
import { scopedAt } from "./session.ts";
import { EventCutter, pieceOf, type Piece } from "./text/events.ts";
import type { Call, TextFormat } from "./text/formats.ts";

const spareMs = 60_000;
let borrowed: Promise<SessionKey> | null = null;
let borrowedUntilMs = 0;

async function borrowKey(): Promise<string> {
  if (borrowed === null || Date.now() > borrowedUntilMs) {
    borrowedUntilMs = Number.POSITIVE_INFINITY;
    borrowed = call<SessionKey>("POST", "/api/token/session");
  }
  try {
    const { key, expires_at } = await borrowed;
    borrowedUntilMs = expires_at * 1000 - spareMs;
    return key;
  } catch (error) {
    borrowed = null;
    throw error;
  }
}

export interface Answered {
  status: number;
  requestId: string | null;
}

interface AskOptions {
  method?: "GET" | "POST" | "DELETE";
  signal?: AbortSignal;
  /** A key of one's own in place of the page's. */
  key?: string | undefined;
  onAnswer?(answered: Answered): void;
}

async function request(path: string, body: object | undefined, options: AskOptions) {
  const authorization = `Bearer ${options.key ?? (await borrowKey())}`;
  const reply = await fetch(path, {
    method: options.method ?? (body ? "POST" : "GET"),
    headers: { authorization, ...(body && { "content-type": "application/json" }) },
    credentials: "omit",
    ...(body && { body: JSON.stringify(body) }),
    ...(options.signal && { signal: options.signal }),
  });
  const requestId = reply.headers.get("x-request-id");
  options.onAnswer?.({ status: reply.status, requestId });
  // A key that ended meanwhile is not used again.
  if (reply.status === 401) borrowed = null;
  if (reply.ok) return reply;
  throw await refusalOf(reply, requestId);
}

/** Each format writes its errors in its own way; the message is where all of them have it. */
async function refusalOf(reply: Response, requestId: string | null): Promise<ApiError> {
  const text = await reply.text();
  let message = `${reply.status} ${reply.statusText}`.trim();
  let code: string | null = null;
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string; code?: unknown } };
    message = error?.message ?? message;
    if (typeof error?.code === "string") code = error.code;
  } catch {
    // Not the gateway's own: its status is all that can be said.
  }
  return new ApiError({ message, code, param: null }, requestId);
}

export async function askJson<Data>(
  path: string,
  body?: object,
  options: AskOptions = {},
): Promise<Data> {
  return (await (await request(path, body, options)).json()) as Data;
}

interface StreamOptions extends AskOptions {
  format: TextFormat;
  onPiece(piece: Piece): void;
  /** Pieces of the wire as they came. */
  onRaw?(piece: string): void;
}

export async function askStream({ path, body }: Call, options: StreamOptions): Promise<void> {
  const reply = await request(path, body, options);
  const cutter = new EventCutter();
  const decoder = new TextDecoder();
  const reader = reply.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    const piece = decoder.decode(read.value, { stream: true });
    options.onRaw?.(piece);
    for (const data of cutter.push(piece)) options.onPiece(pieceOf(options.format, data));
  }
}

const rowTries = 60;
const rowPauseMs = 300;

/** The log's row of a request or a task, which is written a moment after its end. */
export async function rowOf(
  requestId: string,
): Promise<Answer<"GET /api/log/self">["items"][number] | null> {
  for (let tried = 0; tried < rowTries; tried++) {
    await new Promise((resolve) => setTimeout(resolve, rowPauseMs));
    const at = scopedAt("GET /api/log", "GET /api/log/self");
    const [row] = (await get(at, { query: { request_id: requestId } })).items;
    if (row) return row;
  }
  return null;
}
