// The command line speaks to the gateway as any script does: over the control API.
import { isObject, parseJson, type Json, type JsonObject } from "../core/json.ts";
import { OutboundFailed } from "../core/outbound.ts";
import { send } from "../core/wire/send.ts";
import { inFlags } from "./flag-words.ts";

export interface ServerAddress {
  url: string;
  token: string;
}

export type ControlMethod = "GET" | "POST" | "PATCH" | "DELETE";
export type Query = Readonly<Record<string, string>>;

const replyBytesMax = 16 * 1024 * 1024;
const pageSize = 100;

/** What the gateway, or the way to it, has to say against a command. */
export class ControlError extends Error {
  override readonly name = "ControlError";
}

export class ControlClient {
  readonly #server: ServerAddress;

  constructor(server: ServerAddress) {
    this.#server = server;
  }

  get(path: string): Promise<Json> {
    return this.call("GET", path);
  }

  post(path: string, body: object = {}): Promise<Json> {
    return this.#change("POST", path, body);
  }

  patch(path: string, body: object): Promise<Json> {
    return this.#change("PATCH", path, body);
  }

  /** Name the flags, not the fields, in a refusal. */
  async #change(method: ControlMethod, path: string, body: object): Promise<Json> {
    try {
      return await this.call(method, path, JSON.stringify(body));
    } catch (error) {
      throw error instanceof ControlError ? new ControlError(inFlags(error.message)) : error;
    }
  }

  remove(path: string): Promise<Json> {
    return this.call("DELETE", path);
  }

  /** Every page of a list, as it is answered. */
  async *pages(path: string, query: Query = {}): AsyncGenerator<JsonObject[]> {
    let seen = 0;
    for (let page = 1; ; page++) {
      const paged = { ...query, p: String(page), page_size: String(pageSize) };
      const data = await this.get(`${path}?${new URLSearchParams(paged)}`);
      const rows = rowsOf(data);
      seen += rows.length;
      yield rows;
      if (!isObject(data) || rows.length === 0 || seen >= Number(data["total"])) return;
    }
  }

  async all(path: string, query: Query = {}): Promise<JsonObject[]> {
    const items: JsonObject[] = [];
    for await (const rows of this.pages(path, query)) items.push(...rows);
    return items;
  }

  /** The id of the one that has this id or this name. */
  async find(path: string, nameField: string, wanted: string): Promise<string> {
    return String((await this.findRow(path, nameField, wanted))["id"]);
  }

  async findRow(path: string, nameField: string, wanted: string): Promise<JsonObject> {
    const items = await this.all(path);
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

async function request(url: string, path: string, { method, credential, body }: Asked) {
  try {
    const reply = await send({
      url: `${url}${path}`,
      method,
      headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
      ...(body !== undefined && { body }),
      signal: new AbortController().signal,
    });
    return { status: reply.status, bytes: await reply.bytes(replyBytesMax) };
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error;
    throw new ControlError(`the gateway at ${url} cannot be reached (${error.message})`);
  }
}

export function rowsOf(data: Json): JsonObject[] {
  const rows = isObject(data) && Array.isArray(data["items"]) ? data["items"] : [];
  return rows.filter(isObject);
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
