// A gateway in front of the sandbox's makers of images, with a tap on the line between them, and
// the few things that tests of images say and read.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { isObject, type JsonObject } from "../../../src/core/json.ts";
import { sandboxChannels } from "../../../sandbox/channels.ts";
import { startSandbox } from "../../../sandbox/server.ts";
import { eventually } from "../books.ts";
import { rootKey, startGateway, type Gateway } from "../gateway.ts";
import { decodePicture, type Decoded } from "./decode.ts";

/** A call of the gateway to a vendor. */
export interface VendorCall {
  path: string;
  /** Null when it is not JSON. */
  body: JsonObject | null;
  /** Null when it is no form. */
  form: FormData | null;
}

export interface ImageStand extends AsyncDisposable {
  gateway: Gateway;
  /** Oldest first. */
  calls: VendorCall[];
}

/** More lines of configuration may be given; they must not declare channels. */
export async function startImages(config: string = ""): Promise<ImageStand> {
  const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
  const calls: VendorCall[] = [];
  const tap = startTap(sandbox.url, calls);
  const channels = sandboxChannels(tap.url.origin).map((channel) => ({
    name: channel.name,
    type: channel.type,
    base_url: channel.baseUrl,
    key: `sk-${channel.name}`,
    models: channel.models,
    model_mapping: channel.modelMapping,
    priority: channel.priority,
    allow_private: true,
  }));
  const makers = channels.filter(({ models }) => models.some((model) => /^image[AGH]/.test(model)));
  const lines = [`channels: ${JSON.stringify(makers)}`, config];
  const gateway = await startGateway({ config: lines.join("\n") });
  return {
    gateway,
    calls,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await tap.stop(true);
      await sandbox.close();
    },
  };
}

function startTap(target: string, calls: VendorCall[]) {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    development: false,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const bytes = new Uint8Array(await request.arrayBuffer());
      const { method, headers, signal } = request;
      if (method === "POST") calls.push({ path: pathname, ...(await readBody(bytes, headers)) });
      const body = method === "GET" ? {} : { body: bytes };
      return await fetch(target + pathname + search, { method, headers, signal, ...body });
    },
  });
}

async function readBody(
  bytes: Uint8Array<ArrayBuffer>,
  headers: Headers,
): Promise<Pick<VendorCall, "body" | "form">> {
  const type = headers.get("content-type") ?? "";
  if (type.startsWith("multipart/")) {
    const sent = await new Response(bytes, { headers: { "content-type": type } }).formData();
    const form = new FormData();
    for (const [name, value] of sent.entries()) {
      if (typeof value === "string") form.append(name, value);
      else
        form.append(name, new Blob([await value.arrayBuffer()], { type: value.type }), value.name);
    }
    return { body: null, form };
  }
  const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return { body: isObject(body) ? body : null, form: null };
}

export interface Item {
  url?: string;
  b64_json?: string;
  revised_prompt?: string;
}

/** Images or an error, whatever came. */
export interface ImageAnswer {
  status: number;
  headers: Headers;
  body: JsonObject;
  items: Item[];
}

export interface AskOptions {
  key?: string;
  path?: string;
  headers?: Record<string, string>;
}

export async function ask(
  gateway: Gateway,
  body: object | FormData,
  { key = rootKey, path = "/v1/images/generations", headers = {} }: AskOptions = {},
): Promise<ImageAnswer> {
  const isForm = body instanceof FormData;
  const response = await fetch(gateway.url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      ...(isForm ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: isForm ? body : JSON.stringify(body),
  });
  const json = (await response.json()) as JsonObject;
  const items = Array.isArray(json["data"]) ? (json["data"] as unknown as Item[]) : [];
  return { status: response.status, headers: response.headers, body: json, items };
}

/** The pictures of an answer, from wherever they are. */
export async function picturesOf({ status, body, items }: ImageAnswer): Promise<Decoded[]> {
  if (status !== 200) throw new Error(`no images: ${status} ${JSON.stringify(body)}`);
  return await Promise.all(items.map(async (item) => decodePicture(await bytesOf(item))));
}

export async function bytesOf({ url, b64_json: base64 }: Item): Promise<Uint8Array> {
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  const response = await fetch(url ?? "");
  if (response.status !== 200) throw new Error(`the link answers with ${response.status}`);
  return await response.bytes();
}

export function sizeOf({ width, height }: Decoded): string {
  return `${width}x${height}`;
}

/** Verdict on each body: the status, with the code and the field of an error. */
export async function verdict(
  gateway: Gateway,
  body: object,
  options?: AskOptions,
): Promise<string> {
  const { status, body: answer } = await ask(gateway, body, options);
  const error = answer["error"];
  if (!isObject(error)) return String(status);
  return `${status} ${String(error["code"])} ${String(error["param"])}`;
}

/** Until nothing that is only on its way lies on the disk any more. */
export async function spoolIsEmpty({ folder }: Gateway): Promise<void> {
  const path = join(folder, "media", "arriving");
  await eventually("an empty spool", async () =>
    readdirSync(path).length === 0 ? true : undefined,
  );
}
