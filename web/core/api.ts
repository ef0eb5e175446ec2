// The control API, same origin, by the session's cookie. Nothing else is ever called, and this is
// where it is called from.
import { effect, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { ControlReply, Failure } from "../../src/admin/contract.ts";
import { scopeOf } from "./scope.ts";
import { isSameView } from "./view.ts";

/** Refusals come with status 200: what they are is told by their code alone. */
export class ApiError extends Error {
  readonly code: string | null;
  /** The field that is wrong, where one is. */
  readonly param: string | null;
  readonly requestId: string | null;

  constructor(failure: Omit<Failure, "success">, requestId: string | null) {
    super(failure.message);
    this.code = failure.code;
    this.param = failure.param;
    this.requestId = requestId;
  }
}

/** The gateway could not be reached, or something before it says so. */
export const isOffline = signal(false);

/** Called when a session turns out to have ended. */
let onSignedOut = () => {};
export function whenSignedOut(react: () => void): void {
  onSignedOut = react;
}

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export async function call<Data>(method: Method, path: string, body?: unknown): Promise<Data> {
  const reply = await send(method, path, body);
  const requestId = reply.headers.get("x-request-id");
  const answer = await read<Data>(reply);
  if (answer.success) return answer.data;
  // A wrong password says the same of an access token; only an open page has a session to lose.
  if (answer.code === "invalid_api_key" && !path.startsWith("/api/user/login")) onSignedOut();
  throw new ApiError(answer, requestId);
}

async function send(method: Method, path: string, body: unknown): Promise<Response> {
  const isForm = body instanceof FormData;
  const headers = { "content-type": "application/json" };
  const content = isForm ? { body } : { headers, body: JSON.stringify(body ?? {}) };
  try {
    return await fetch(path, { method, ...(method === "GET" ? {} : content) });
  } catch {
    throw unreachable();
  }
}

function unreachable(): ApiError {
  isOffline.value = true;
  return new ApiError({ message: "", code: "offline", param: null }, null);
}

/** A proxy whose gateway is away, and a gateway that still starts, answer in words of their own. */
const awayStatuses: readonly number[] = [502, 503, 504];

async function read<Data>(reply: Response): Promise<ControlReply<Data>> {
  const answer = await readJson<Data>(reply);
  if (answer === null && awayStatuses.includes(reply.status)) throw unreachable();
  isOffline.value = false;
  const message = `${reply.status} ${reply.statusText}`.trim();
  return answer ?? { success: false, message, code: "bad_answer", param: null };
}

/** Null for what the control API does not say. */
async function readJson<Data>(reply: Response): Promise<ControlReply<Data> | null> {
  try {
    const answer = (await reply.json()) as ControlReply<Data>;
    return typeof answer.success === "boolean" ? answer : null;
  } catch {
    return null;
  }
}

/** `/api/log?model=x`: what is null or empty is left out. */
export function withQuery(
  path: string,
  parameters: Record<string, string | number | boolean | null | undefined>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...parameters, ...scopeOf(path) })) {
    if (value !== null && value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}

export interface Loaded<Data> {
  data: Data | null;
  error: ApiError | null;
  isPending: boolean;
  /** Asks again now; what is shown stays until the answer is there. */
  reload(): void;
}

interface Asking {
  path: string;
  hasFailed: boolean;
  ask(): void;
}

/** Every `useGet` that is on the page, so that a change can bring them up to date. */
const open = new Set<Asking>();

/** After a change: whatever shows something under one of these paths is asked for again. */
export function refresh(...paths: string[]): void {
  for (const one of open) {
    if (paths.some((path) => one.path.startsWith(path))) one.ask();
  }
}

/** A gateway that is back brings back all that failed without it. */
effect(() => {
  if (isOffline.value) return;
  for (const one of open) if (one.hasFailed) one.ask();
});

function asError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({ message: String(error), code: null, param: null }, null);
}

interface Answered<Data> extends Omit<Loaded<Data>, "reload"> {
  /** Path that was asked. */
  path: string | null;
}

const unanswered = { path: null, data: null, error: null, isPending: true };

/**
 * Answer of a path, every `everyMs` while the page is visible; null asks nothing. Another path's
 * answer is never shown, and nothing beside a refusal: a number must never stand under a heading
 * that it does not belong to. Only a gateway that is away leaves what was there, and is told of.
 */
export function useGet<Data>(path: string | null, everyMs = 0): Loaded<Data> {
  const state = useMemo(() => signal<Answered<Data>>(unanswered), []);
  const entry = useMemo((): Asking => ({ path: "", hasFailed: false, ask: () => {} }), []);
  useEffect(() => {
    if (path === null) return;
    let isOver = false;
    let latest = 0;
    async function ask(): Promise<void> {
      const turn = ++latest;
      const answer = await answerTo<Data>(path ?? "");
      if (isOver || turn !== latest) return;
      entry.hasFailed = answer.error !== null;
      const isKept = answer.error?.code === "offline";
      const data = isKept ? state.peek().data : answer.data;
      state.value = { ...answer, path, data, isPending: false };
    }
    const isSame = isSameView(state.peek().path, path);
    state.value = isSame ? { ...state.peek(), path, isPending: true } : { ...unanswered, path };
    entry.path = path;
    entry.hasFailed = false;
    entry.ask = () => void ask();
    open.add(entry);
    entry.ask();
    const timer = everyMs > 0 ? setInterval(() => document.hidden || entry.ask(), everyMs) : 0;
    return () => {
      isOver = true;
      open.delete(entry);
      clearInterval(timer);
    };
  }, [path, everyMs]);
  // The effect comes after this page is drawn, the heading with it.
  const { data, error, isPending } = isSameView(state.value.path, path) ? state.value : unanswered;
  return { data, error, isPending, reload: () => entry.ask() };
}

async function answerTo<Data>(path: string): Promise<Pick<Loaded<Data>, "data" | "error">> {
  try {
    return { data: await call<Data>("GET", path), error: null };
  } catch (error) {
    return { data: null, error: asError(error) };
  }
}

export interface Action<Input> {
  run(input: Input): Promise<boolean>;
  error: ApiError | null;
  isBusy: boolean;
  /** Forgets the last refusal. */
  reset(): void;
}

/** Something that a button or a form does: one at a time, and its refusal is kept to be shown. */
export function useAction<Input = void>(act: (input: Input) => Promise<void>): Action<Input> {
  const state = useMemo(() => signal<{ error: ApiError | null; isBusy: boolean }>(idle), []);
  async function run(input: Input): Promise<boolean> {
    if (state.peek().isBusy) return false;
    state.value = { error: null, isBusy: true };
    try {
      await act(input);
      state.value = idle;
      return true;
    } catch (error) {
      state.value = { error: asError(error), isBusy: false };
      return false;
    }
  }
  return { run, ...state.value, reset: () => (state.value = idle) };
}

const idle = { error: null, isBusy: false };
