// The command line speaks to the gateway as any script does: over the control API. The address and
// a token stand in a file of the data folder that only its owner can read.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { isObject, parseJson, type Json, type JsonObject } from "../core/json.ts";
import { send } from "../core/wire/send.ts";
import { isFolderLocked } from "../store/sqlite/lock.ts";

interface ServerAddress {
  url: string;
  token: string;
}

/** Runs a gateway of its own for as long as one command needs it. */
export type WithServer = (
  config: Config,
  run: (server: ServerAddress) => Promise<void>,
) => Promise<void>;

const serverFile = "server.json";
const replyBytesMax = 16 * 1024 * 1024;
const pageSize = 100;

/** What the gateway, or the way to it, has to say against a command. */
class ControlError extends Error {
  override readonly name = "ControlError";
}

export class ControlClient {
  readonly #server: ServerAddress;

  constructor(server: ServerAddress) {
    this.#server = server;
  }

  get(path: string): Promise<Json> {
    return this.#call("GET", path);
  }

  post(path: string, body: object = {}): Promise<Json> {
    return this.#call("POST", path, JSON.stringify(body));
  }

  remove(path: string): Promise<Json> {
    return this.#call("DELETE", path);
  }

  /** Every page of a list. */
  async all(path: string, query: Readonly<Record<string, string>> = {}): Promise<JsonObject[]> {
    const items: JsonObject[] = [];
    for (let page = 1; ; page++) {
      const paged = { ...query, p: String(page), page_size: String(pageSize) };
      const data = await this.get(`${path}?${new URLSearchParams(paged)}`);
      const rows = isObject(data) && Array.isArray(data["items"]) ? data["items"] : [];
      items.push(...rows.filter(isObject));
      if (!isObject(data) || rows.length === 0 || items.length >= Number(data["total"])) {
        return items;
      }
    }
  }

  /** The one that has this id or this name. */
  async find(path: string, nameField: string, wanted: string): Promise<string> {
    const items = await this.all(path);
    const matches = items.filter((item) => item["id"] === wanted || item[nameField] === wanted);
    const [first] = matches;
    if (!first) throw new ControlError(`there is none called ${wanted}`);
    if (matches.length > 1) {
      const ids = matches.map((item) => String(item["id"])).join(", ");
      throw new ControlError(`there are several called ${wanted}; name one by its id: ${ids}`);
    }
    return String(first["id"]);
  }

  async #call(method: "GET" | "POST" | "DELETE", path: string, body?: string): Promise<Json> {
    const { url, token } = this.#server;
    const reply = await send({
      url: `${url}${path}`,
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body }),
      signal: new AbortController().signal,
    });
    return readData(reply.status, await reply.bytes(replyBytesMax));
  }
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

/** With the gateway that runs on the data folder, or else with one that runs only for this. */
export async function withControl(
  config: Config,
  withServer: WithServer,
  run: (client: ControlClient) => Promise<void>,
): Promise<void> {
  const { dataFolder } = config;
  const connect = (server: ServerAddress) => run(new ControlClient(server));
  if (existsSync(dataFolder) && isFolderLocked(dataFolder)) {
    await connect(readServerFile(join(dataFolder, serverFile)));
  } else {
    await withServer(config, connect);
  }
}

function readServerFile(path: string): ServerAddress {
  const state = readStateOrNull(path);
  const url = isObject(state) ? state["url"] : null;
  const token = isObject(state) ? state["token"] : null;
  if (typeof url === "string" && typeof token === "string") return { url, token };
  throw new ControlError(
    `a gateway uses the data folder, but ${path} does not say how to reach it: ` +
      "it is starting, it is stopping, or it belongs to another user",
  );
}

function readStateOrNull(path: string): Json {
  try {
    return parseJson(readFileSync(path));
  } catch {
    return null;
  }
}
