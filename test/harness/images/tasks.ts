// Makers of images that outlive every gateway in front of them, with a tap on the line, and the few
// things that tests of image tasks say and read.
import { systemTimers } from "../../../src/core/clock.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { sandboxChannels } from "../../../sandbox/channels.ts";
import { startSandbox, type Sandbox } from "../../../sandbox/server.ts";
import { eventually } from "../books.ts";
import { rootKey, startGateway, type Gateway } from "../gateway.ts";
import { PassingClock } from "../time/passing-clock.ts";
import { passOn } from "../tap.ts";
import { query } from "../videos.ts";

export interface ImageVendors extends AsyncDisposable {
  sandbox: Sandbox;
  /** Theirs: what they draw is done when its time on it has passed. */
  clock: PassingClock;
  /** The tap's address, under which each vendor has a folder. */
  url: string;
  /** Works to be made, oldest first. */
  calls: { path: string; text: string }[];
  /** Lines of configuration that lead to them. */
  config: string;
  /** Take orders without answering, until the returned function is called. */
  hold(): () => void;
}

export const quickPolls = "tasks: { poll_first_ms: 50, poll_most_ms: 150 }";

export function startImageVendors(): ImageVendors {
  const clock = new PassingClock();
  const sandbox = startSandbox({ port: 0, clock, timers: systemTimers, paceMs: 0 });
  const calls: ImageVendors["calls"] = [];
  let held = Promise.resolve();
  const tap = startTap(sandbox.url, calls, () => held);
  const url = tap.url.origin;
  const channels = sandboxChannels(url)
    .filter(({ models }) => models.some((model) => /^(?:image[AGH]|imgF)/.test(model)))
    .map((channel) => ({
      name: channel.name,
      type: channel.type,
      base_url: channel.baseUrl,
      key: `sk-${channel.name}`,
      models: channel.models,
      model_mapping: channel.modelMapping,
      priority: channel.priority,
      allow_private: true,
    }));
  return {
    sandbox,
    clock,
    url,
    calls,
    config: `channels: ${JSON.stringify(channels)}`,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    async [Symbol.asyncDispose]() {
      await tap.stop(true);
      await sandbox.close();
    },
  };
}

function startTap(target: string, calls: ImageVendors["calls"], held: () => Promise<void>) {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    development: false,
    idleTimeout: 60,
    async fetch(request) {
      const { pathname, search, host } = new URL(request.url);
      const bytes = await request.bytes();
      const { method, signal } = request;
      if (method === "POST") {
        calls.push({ path: pathname, text: new TextDecoder().decode(bytes) });
        await held();
      }
      // The vendors' links to their files lead through the tap as well.
      const headers = new Headers(request.headers);
      headers.set("host", host);
      const body = method === "GET" ? {} : { body: bytes };
      const passed = { method, headers, signal, ...body };
      const reply = await fetch(target + pathname + search, passed).catch(() => null);
      // A line that breaks before the answer breaks here too.
      if (!reply) return new Response(broken());
      const { status, headers: told } = reply;
      return new Response(reply.body && passOn(reply.body), { status, headers: told });
    },
  });
}

function broken(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.error(new Error("cut")) });
}

export interface TaskStand extends AsyncDisposable {
  gateway: Gateway;
  vendors: ImageVendors;
}

/** More lines of configuration may be given; they must not declare channels or tasks. */
export async function startImageTasks(config: string = ""): Promise<TaskStand> {
  const vendors = startImageVendors();
  const gateway = await startGateway({ config: [quickPolls, vendors.config, config].join("\n") });
  return {
    gateway,
    vendors,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await vendors[Symbol.asyncDispose]();
    },
  };
}

/** The body of the task once it is so. */
export async function becomes(
  gateway: Gateway,
  path: string,
  isSo: (body: JsonObject) => boolean,
  key: string = rootKey,
): Promise<JsonObject> {
  return await eventually(`the end of ${path}`, async () => {
    const { status, body } = await query(gateway, path, { key });
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return isSo(body) ? body : undefined;
  });
}
