// A gateway in front of the sandbox's makers of videos, with a tap on the line between them, and
// the few things that tests of videos say and read.
import { systemTimers } from "../../src/core/clock.ts";
import { isObject, type JsonObject } from "../../src/core/json.ts";
import { sandboxChannels } from "../../sandbox/channels.ts";
import { startSandbox, type Sandbox } from "../../sandbox/server.ts";
import { eventually } from "./books.ts";
import { rootKey, startGateway, type Gateway } from "./gateway.ts";
import { PassingClock } from "./time/passing-clock.ts";

/** A call of the gateway to a vendor. */
export interface VendorCall {
  method: string;
  path: string;
  /** Key that the vendor reads, whichever header its wire has for it. */
  key: string;
  /** Null when it is not JSON. */
  body: JsonObject | null;
  text: string;
}

/** Vendors that outlive every gateway in front of them. */
export interface VideoVendors extends AsyncDisposable {
  sandbox: Sandbox;
  /** Theirs: what they make is done when its time on it has passed. */
  clock: PassingClock;
  /** The tap's address, under which each vendor has a folder. */
  url: string;
  /** Oldest first. */
  calls: VendorCall[];
  /** Lines of configuration that lead to them, with quick polls. */
  config: string;
}

export interface VideoStand extends AsyncDisposable {
  gateway: Gateway;
  calls: VendorCall[];
  /** The vendors' clock. */
  clock: PassingClock;
}

export const quickPolls = "tasks: { poll_first_ms: 50, poll_most_ms: 150 }";

/** A job that is done as soon as it is asked about. */
export const prompt = "A fox in the snow sandbox:seconds=0";
/** Duration of the slow one. */
export const slowSeconds = 60;
/** A job that is done only when a test lets its time pass. */
export const slowPrompt = `A fox in the snow sandbox:seconds=${slowSeconds}`;

export function startVideoVendors(): VideoVendors {
  const clock = new PassingClock();
  const sandbox = startSandbox({ port: 0, clock, timers: systemTimers, paceMs: 0 });
  const calls: VendorCall[] = [];
  const tap = startTap(sandbox.url, calls);
  const channels = sandboxChannels(tap.url.origin).map((channel) => ({
    name: channel.name,
    type: channel.type,
    base_url: channel.baseUrl,
    key: `sk-${channel.name}`,
    models: channel.models,
    priority: channel.priority,
    allow_private: true,
  }));
  return {
    sandbox,
    clock,
    url: tap.url.origin,
    calls,
    config: `channels: ${JSON.stringify(channels.filter(({ models }) => models.some(isVideo)))}`,
    async [Symbol.asyncDispose]() {
      await tap.stop(true);
      await sandbox.close();
    },
  };
}

/** More lines of configuration may be given; they must not declare channels or tasks. */
export async function startVideos(config: string = ""): Promise<VideoStand> {
  const vendors = startVideoVendors();
  const lines = [quickPolls, vendors.config, config].join("\n");
  const gateway = await startGateway({ config: lines });
  return {
    gateway,
    calls: vendors.calls,
    clock: vendors.clock,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await vendors[Symbol.asyncDispose]();
    },
  };
}

function isVideo(model: string): boolean {
  return /^(?:video|omni|manxue)/.test(model);
}

function startTap(target: string, calls: VendorCall[]) {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    development: false,
    async fetch(request) {
      const { pathname, search, host } = new URL(request.url);
      const bytes = await request.bytes();
      const text = new TextDecoder().decode(bytes);
      const { method, headers } = request;
      const bearer = headers.get("authorization")?.replace("Bearer ", "");
      const key = bearer ?? headers.get("x-goog-api-key") ?? "";
      calls.push({ method, path: pathname, key, body: jsonOf(text), text });
      const isBare = method === "GET" || method === "DELETE";
      // The vendors' links to their files lead through the tap as well.
      const passed = new Headers(headers);
      passed.set("host", host);
      return await fetch(target + pathname + search, {
        method,
        headers: passed,
        ...(isBare ? {} : { body: bytes }),
      });
    },
  });
}

function jsonOf(text: string): JsonObject | null {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) ? body : null;
  } catch {
    return null;
  }
}

/** Orders to vendors; all else are questions. */
export function starts({ calls }: { calls: readonly VendorCall[] }): VendorCall[] {
  return calls.filter(({ method }) => method === "POST");
}

/** A task or an error, whatever came. */
export interface Reply {
  status: number;
  headers: Headers;
  body: JsonObject;
}

export interface CreateOptions {
  key?: string;
  path?: string;
  headers?: Record<string, string>;
}

export async function create(
  gateway: Gateway,
  body: object | FormData,
  { key = rootKey, path = "/v1/videos", headers = {} }: CreateOptions = {},
): Promise<Reply> {
  const isForm = body instanceof FormData;
  const response = await fetch(gateway.url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      ...headers,
      ...(isForm ? {} : { "content-type": "application/json" }),
    },
    body: isForm ? body : JSON.stringify(body),
  });
  return await toReply(response);
}

export async function query(
  gateway: Gateway,
  path: string,
  { key = rootKey, method = "GET" }: { key?: string; method?: string } = {},
): Promise<Reply> {
  const headers = { authorization: `Bearer ${key}` };
  return await toReply(await fetch(gateway.url + path, { method, headers }));
}

async function toReply(response: Response): Promise<Reply> {
  const { status, headers } = response;
  return { status, headers, body: (await response.json()) as JsonObject };
}

/** The id of a task that must have been taken. */
export function idOf({ status, body }: Reply): string {
  if (status !== 200) throw new Error(`the video was refused: ${status} ${JSON.stringify(body)}`);
  return String(body["id"]);
}

/** The task once it is in this state. */
export async function reaches(
  gateway: Gateway,
  id: string,
  status: string,
  key: string = rootKey,
): Promise<JsonObject> {
  return await eventually(`the state ${status} of ${id}`, async () => {
    const { body } = await query(gateway, `/v1/videos/${id}`, { key });
    if (body["status"] === status) return body;
    const hasEnded = body["status"] === "completed" || body["status"] === "failed";
    if (hasEnded) throw new Error(`${id} has ended otherwise: ${JSON.stringify(body)}`);
    return undefined;
  });
}

/** Texts and files as a form has them. */
export function form(fields: Record<string, string | Blob | (string | Blob)[]>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) data.append(name, one);
  }
  return data;
}

/** Envelope of an error, one of three, told by the exact names in it. */
export function envelopeOf({ body }: Reply): "a" | "b" | "c" | null {
  const error = body["error"];
  if (Object.keys(body).join() === "code,message,data" && body["data"] === null) return "b";
  if (Object.keys(body).join() !== "error" || !isObject(error)) return null;
  const names = Object.keys(error).join();
  if (names === "message,type,param,code") return "a";
  return names === "message,type" ? "c" : null;
}

/** Verdict on each body: 200, or the status and the field that is named. */
export async function verdicts(gateway: Gateway, bodies: readonly object[]): Promise<string[]> {
  const replies = await Promise.all(bodies.map((body) => create(gateway, body)));
  return replies.map(({ status, body }) => {
    const error = body["error"];
    return isObject(error) ? `${status} ${String(error["param"])}` : String(status);
  });
}
