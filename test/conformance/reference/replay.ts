// Sends what the document gives as examples, in an order in which each finds what it needs.
import type { Gateway } from "../../harness/gateway.ts";
import { rootKey, rootToken } from "../../harness/gateway.ts";

interface DocumentedAnswer {
  headers: Record<string, unknown>;
  content?: Record<string, { schema?: unknown }>;
}

export interface DocumentedOperation {
  method: string;
  path: string;
  security: Record<string, unknown>[];
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { content: { "application/json"?: { example: unknown } } };
  "x-permission"?: string;
  responses: Record<string, DocumentedAnswer | undefined>;
}

export interface Document {
  openapi: string;
  paths: Record<string, Record<string, Omit<DocumentedOperation, "method" | "path">>>;
  components: { schemas: Record<string, unknown> };
}

export interface Replayed {
  name: string;
  status: number;
  type: string;
  body: unknown;
  headers: Headers;
  operation: DocumentedOperation;
}

export function operationsOf({ paths }: Document): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** Things made first are there to be read and changed, and go at the end. */
function rank({ method, path }: DocumentedOperation): number {
  // Slow operations come before anything is begun that a clock ends.
  if (/^\/api\/(?:price|channel)\/[a-z]/.test(path)) return -1;
  const hasParameter = /\{(?!model\})/.test(path);
  // An account deleted for good is gone for all the others.
  if (path.endsWith("/erase")) return 6;
  if (method === "POST") return hasParameter ? 2 : 0;
  if (method === "GET") return hasParameter ? 3 : 1;
  return method === "PATCH" ? 4 : 5;
}

const nobody = "chn_00000000000000000000000000";
const assets = "/api/asset/createMedia";

/** Models that the sandbox serves, by what is asked of them. */
const models: readonly [part: string, model: string][] = [
  ["predictLongRunning", "videoA_3_1-fast"],
  ["operations", "videoA_3_1-fast"],
  ["mbedContent", "gemini-embedding-001"],
  ["", "chatC"],
];

/** A sender of examples: one may have made what another asks for. */
export interface Sender {
  key: string;
  token: string;
}

const root: Sender = { key: rootKey, token: rootToken };

export class Replay {
  readonly #gateway: Gateway;
  /** Ids of things made, by the address each was made at. */
  readonly #ids = new Map<string, string>();

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  async run(operations: readonly DocumentedOperation[]): Promise<Replayed[]> {
    const replayed: Replayed[] = [];
    for (const operation of operations.toSorted((one, other) => rank(one) - rank(other))) {
      replayed.push(await this.send(operation));
    }
    return replayed;
  }

  async send(
    operation: DocumentedOperation,
    sender: Sender = root,
    address: string = this.address(operation),
  ): Promise<Replayed> {
    const { method, path, requestBody } = operation;
    const example = requestBody?.content["application/json"]?.example;
    const response = await fetch(this.#gateway.url + address, {
      method,
      redirect: "manual",
      headers: {
        ...(example !== undefined && { "content-type": "application/json" }),
        ...authorisation(operation, sender),
      },
      ...(example !== undefined && { body: JSON.stringify(example) }),
    });
    const type = (response.headers.get("content-type") ?? "").split(";", 1)[0] ?? "";
    const text = type === "text/event-stream" ? await cancelled(response) : await response.text();
    const body = type === "application/json" ? (JSON.parse(text) as unknown) : text;
    if (path === "/v1/chat/completions") this.#noteLogged(response);
    const id = idOf(body);
    if (method === "POST" && id !== null && !this.#ids.has(path)) this.#ids.set(path, id);
    const { status, headers } = response;
    return { name: `${method} ${path}`, status, type, body, headers, operation };
  }

  /** Rows of the log are found by the id of an answer. */
  #noteLogged({ headers }: Response): void {
    const id = headers.get("x-request-id") ?? "";
    for (const list of ["/api/log", "/api/log/self"]) {
      if (!this.#ids.has(list)) this.#ids.set(list, id);
    }
  }

  address({ path, parameters }: DocumentedOperation): string {
    const [before = ""] = path.split(/\/\{(?!model\})/, 1);
    const model = models.find(([part]) => path.includes(part))?.[1] ?? "";
    const id = this.#idBelow(before);
    const query = parameters
      .filter((one) => one.in === "query" && one.required)
      .map(({ name }) => `${name}=${this.#idBelow(name === "id" ? assets : path)}`);
    const address = path
      .replace("{model}", model)
      .replace(/\{\w+\}/, id)
      .replace(/\{\w+\}/, nobody);
    return query.length > 0 ? `${address}?${query.join("&")}` : address;
  }

  /** A create has its own address, or one beside what reads it. */
  #idBelow(path: string): string {
    if (/^\/v1(?:beta)?\/models$/.test(path)) return "chatA";
    const known = [path, ...(besides[path] ?? [])].map((one) => this.#ids.get(one));
    return known.find((id) => id !== undefined) ?? nobody;
  }
}

const besides: Readonly<Record<string, readonly string[]>> = {
  "/v1beta/models/{model}/operations": ["/v1beta/models/{model}:predictLongRunning"],
  "/v1/models/{model}/operations": ["/v1/models/{model}:predictLongRunning"],
  "/api/task": ["/v1/videos"],
  "/api/task/self": ["/v1/videos"],
  "/imgF/task": ["/imgF/submit/imagine"],
  "/imgF/image": ["/imgF/submit/imagine"],
};

function authorisation(
  { security }: DocumentedOperation,
  { key, token }: Sender,
): Record<string, string> {
  const ways = security.flatMap((one) => Object.keys(one));
  if (ways.includes("key")) return { authorization: `Bearer ${key}` };
  return ways.includes("token") ? { authorization: `Bearer ${token}` } : {};
}

async function cancelled(response: Response): Promise<string> {
  await response.body?.cancel();
  return "";
}

const idNames = ["id", "task_id", "result", "name", "Id", "model"] as const;

function idOf(body: unknown): string | null {
  if (typeof body !== "object" || body === null) return null;
  const { data, Result, items } = body as Record<string, unknown>;
  for (const inner of [data, Result, Array.isArray(items) ? items[0] : undefined]) {
    if (typeof inner === "object" && inner !== null && !Array.isArray(inner)) return idOf(inner);
  }
  const found = idNames.map((name) => (body as Record<string, unknown>)[name]);
  const id = found.find((one) => typeof one === "string");
  return typeof id === "string" ? (id.split("/").at(-1) ?? null) : null;
}
