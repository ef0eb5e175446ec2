// The command line speaks to the gateway as any script does: over the control API.
import type { AnswerOf, ApiCall } from "../admin/call.ts";
import { isObject, parseJson, type Json, type JsonObject } from "../core/json.ts";
import { describe } from "../core/log.ts";
import { OutboundFailed } from "../core/outbound.ts";
import { SseSplitter } from "../core/sse.ts";
import { send } from "../core/wire/send.ts";
import { inFlags } from "./flag-words.ts";

export interface ServerAddress {
  url: string;
  token: string;
}

export type ControlMethod = "GET" | "POST" | "PATCH" | "DELETE";

/** Input of a call, each part where its address has one. */
export interface Sent {
  /** Ids in the address, in their order. */
  id?: string | readonly string[];
  query?: JsonObject;
  body?: object;
}

/** A call that answers a list. */
export type ListCall = ApiCall;
export type AnsweredRow<One extends ApiCall> =
  AnswerOf<One> extends { items: (infer Row extends JsonObject)[] } ? Row : never;

interface Page<One extends ApiCall> {
  items: AnsweredRow<One>[];
  total?: number;
  next?: string | null;
}

/** Entities that people call by a name of theirs, or by id. */
export interface NamedKind<One extends ListCall> {
  list: One;
  nameField: string;
}

const replyBytesMax = 16 * 1024 * 1024;
const pageSize = 100;

/** Objection of the gateway, or of the way to it, to a command. */
export class ControlError extends Error {
  override readonly name = "ControlError";
}

/** Last words of a command that an error has ended. */
export function lastWords(error: unknown): string {
  return error instanceof ControlError ? error.message : describe(error);
}

export class ControlClient {
  readonly #server: ServerAddress;

  constructor(server: ServerAddress) {
    this.#server = server;
  }

  /** Input as the gateway is to judge it; a refusal names flags, not fields. */
  async ask<One extends ApiCall>({ at }: One, sent: Sent = {}): Promise<AnswerOf<One>> {
    const [method, path] = splitAddress(at, sent);
    const body = sent.body && JSON.stringify(sent.body);
    try {
      // The function of the call gives what its schema says, or the gateway would not compile.
      return (await this.call(method, path, body)) as AnswerOf<One>;
    } catch (error) {
      throw error instanceof ControlError ? new ControlError(inFlags(error.message)) : error;
    }
  }

  /** Events of an answer that is told as it goes. */
  async *follow<Event extends object>({ at }: ApiCall, sent: Sent): AsyncGenerator<Event> {
    const [method, path] = splitAddress(at, sent);
    const { url, token } = this.#server;
    const body = sent.body && JSON.stringify(sent.body);
    const reply = await open(url, path, { method, credential: token, body });
    if (!reply.mediaType.startsWith("text/event-stream")) {
      readData(reply.status, await reply.bytes(replyBytesMax));
      return;
    }
    const splitter = new SseSplitter();
    for (;;) {
      const { value } = await reply.read();
      if (!value) return;
      for (const { data } of splitter.push(value)?.events ?? []) {
        // The function of the call writes them by this type.
        yield JSON.parse(data) as Event;
      }
    }
  }

  /** Every page of a list, as it is answered. */
  async *pages<One extends ListCall>(
    call: One,
    query: JsonObject = {},
    size = pageSize,
  ): AsyncGenerator<AnsweredRow<One>[]> {
    // A short list comes whole.
    if (!("page_size" in (call.query ?? {}))) {
      const whole: Page<One> = await this.ask(call, { query });
      return yield whole.items;
    }
    let seen = 0;
    let place: JsonObject = { p: 1 };
    for (let page = 1; ; page++) {
      const paged = { ...query, ...place, page_size: size };
      const { items, total = 0, next }: Page<One> = await this.ask(call, { query: paged });
      seen += items.length;
      yield items;
      if (items.length === 0 || next === null) return;
      // A log grows at its head, so its pages go on from a row.
      if (next === undefined && seen >= total) return;
      place = next === undefined ? { p: page + 1 } : { cursor: next };
    }
  }

  /** The first so many. */
  async some<One extends ListCall>(
    call: One,
    query: JsonObject,
    limit: number,
  ): Promise<AnsweredRow<One>[]> {
    const rows: AnsweredRow<One>[] = [];
    for await (const page of this.pages(call, query, Math.min(limit, pageSize))) {
      rows.push(...page);
      if (rows.length >= limit) break;
    }
    return rows.slice(0, limit);
  }

  all<One extends ListCall>(call: One, query: JsonObject = {}): Promise<AnsweredRow<One>[]> {
    return this.some(call, query, Number.POSITIVE_INFINITY);
  }

  /** Parts of an entity, which come on one page. */
  async allOf<One extends ListCall>(call: One, id: string): Promise<AnsweredRow<One>[]> {
    const { items }: Page<One> = await this.ask(call, { id });
    return items;
  }

  /** The one that has this id or this name, among all or the parts of an entity. */
  async find<One extends ListCall>(
    { list, nameField }: NamedKind<One>,
    wanted: string,
    within?: string,
  ) {
    const items: AnsweredRow<One>[] =
      within === undefined ? await this.all(list) : await this.allOf(list, within);
    const matches = items.filter((item) => item["id"] === wanted || item[nameField] === wanted);
    const [first] = matches;
    if (!first) throw new ControlError(`there is none called ${wanted}`);
    if (matches.length > 1) {
      const ids = matches.map((item) => String(item["id"])).join(", ");
      throw new ControlError(`there are several called ${wanted}; name one by its id: ${ids}`);
    }
    return first;
  }

  async call(method: ControlMethod, path: string, body?: string): Promise<Json> {
    const { url, token } = this.#server;
    const { status, bytes } = await request(url, path, { method, credential: token, body });
    return readData(status, bytes);
  }

  /** A route that takes an API key, and answers in an envelope of its own. */
  async callWithKey(method: "GET" | "POST", path: string, key: string, body?: string) {
    const { status, bytes } = await request(this.#server.url, path, {
      method,
      credential: key,
      body,
    });
    const answer = parseOrNull(bytes);
    if (status === 200 && isObject(answer)) return answer;
    const error = isObject(answer) && isObject(answer["error"]) ? answer["error"] : {};
    throw new ControlError(String(error["message"] ?? `the gateway answered ${status}`));
  }
}

interface Asked {
  method: ControlMethod;
  credential: string;
  body?: string | undefined;
}

async function request(url: string, path: string, call: Asked) {
  const reply = await open(url, path, call);
  try {
    return { status: reply.status, bytes: await reply.bytes(replyBytesMax) };
  } catch (error) {
    throw unreached(url, error);
  }
}

async function open(url: string, path: string, { method, credential, body }: Asked) {
  try {
    return await send({
      url: `${url}${path}`,
      method,
      headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
      ...(body !== undefined && { body }),
      signal: new AbortController().signal,
    });
  } catch (error) {
    throw unreached(url, error);
  }
}

function unreached(url: string, error: unknown): unknown {
  if (!(error instanceof OutboundFailed)) return error;
  return new ControlError(`the gateway at ${url} cannot be reached (${error.message})`);
}

function splitAddress(at: ApiCall["at"], { id = "", query = {} }: Sent): [ControlMethod, string] {
  const [method, path] = at.split(" ") as [ControlMethod, string];
  const known = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(
    Object.fromEntries(known.map(([name, value]) => [name, String(value)])),
  );
  const ids = [id].flat();
  const whole = path.replace(/\{\w+\}/g, () => encodeURIComponent(ids.shift() ?? ""));
  return [method, known.length === 0 ? whole : `${whole}?${search}`];
}

function readData(status: number, bytes: Uint8Array): Json {
  const answer = parseOrNull(bytes);
  if (!isObject(answer) || typeof answer["success"] !== "boolean") {
    throw new ControlError(`the gateway's answer cannot be read (status ${status})`);
  }
  if (!answer["success"]) throw new ControlError(String(answer["message"]));
  return answer["data"] ?? null;
}

function parseOrNull(bytes: Uint8Array): Json {
  try {
    return parseJson(bytes);
  } catch {
    return null;
  }
}
