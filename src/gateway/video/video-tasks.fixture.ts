// Videos from the parsed body to the end of their tasks, with everything but the vendor, the clock
// and the disk as it is, for the tests of this module.
import { drainMicrotasks } from "bun:jsc";
import { Deadlines } from "../../core/deadline.ts";
import { createIds, type ChannelId } from "../../core/ids.ts";
import { isObject, parseJson, type Json, type JsonObject } from "../../core/json.ts";
import {
  OutboundFailed,
  plainTransport,
  type OutboundReply,
  type OutboundRequest,
} from "../../core/outbound.ts";
import type { ChannelSettings } from "../../distribution/channel.ts";
import { Channels } from "../../distribution/channels.ts";
import { RetryBudget } from "../../distribution/retry-budget.ts";
import { findVideoFamily } from "../../families/index.ts";
import type { Caller } from "../../identity/caller.ts";
import { Prices } from "../../quota/prices.ts";
import { accountId, Bench, keyId, type BenchOptions } from "../../tasks/book-and-engine.fixture.ts";
import type { Create, Task } from "../../tasks/task.ts";
import { TaskEvents } from "../task/events.ts";
import { Creates } from "../task/idempotency.ts";
import { TaskPlaces } from "../task/places.ts";
import type { AssetHome } from "./resolve-assets.ts";
import type { CancelNeeds } from "./cancel.ts";
import { submitVideo, type SubmitVideoNeeds } from "./submit.ts";
import { VideoWorker, type KeptResult } from "./worker.ts";

export const model = "videoC-2-0-260128";
export const body = { model, prompt: "A fox in the snow", duration: 5 };

/** How the vendor takes a start. */
export type Start =
  | "taken"
  /** It is taken, and nobody hears of it. */
  | "cut"
  | "silent"
  | "unreadable"
  /** No connection is made. */
  | "unreached"
  | { status: number; json: Json };

interface Job {
  id: string;
  taskId: string;
  host: string;
  status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
  error?: { code: string; message: string };
}

/** Ark, which outlives every gateway in front of it. */
export class Ark {
  readonly jobs: Job[] = [];
  readonly requests: OutboundRequest[] = [];
  /** By host, in turn; then everything is taken. */
  readonly starts = new Map<string, Start[]>();
  /** Called when a start arrives, before it is answered. */
  arrived: (request: OutboundRequest) => void = () => {};
  isDown = false;

  readonly send = async (request: OutboundRequest): Promise<OutboundReply> => {
    this.requests.push(request);
    const { host, pathname } = new URL(request.url);
    if (request.method === "POST") return await this.#start(host, request);
    if (this.isDown) throw new OutboundFailed("ECONNRESET");
    const id = pathname.split("/tasks")[1]?.slice(1) ?? "";
    if (id === "") return reply(200, { total: this.jobs.length, items: this.jobs.map(toTask) });
    const job = this.jobs.find((one) => one.id === id);
    if (!job) return reply(404, { error: { code: "NotFound", message: "There is none." } });
    if (request.method === "DELETE") job.status = "cancelled";
    return reply(200, toTask(job));
  };

  async #start(host: string, request: OutboundRequest): Promise<OutboundReply> {
    this.arrived(request);
    const how = this.starts.get(host)?.shift() ?? "taken";
    if (how === "unreached") throw new OutboundFailed("ECONNREFUSED", true);
    if (typeof how === "object") return reply(how.status, how.json);
    const sent = parseJson(new TextEncoder().encode(String(request.body)));
    const taskId = isObject(sent) ? String(sent["safety_identifier"]) : "";
    const id = `cgt-${this.jobs.length + 1}`;
    this.jobs.push({ id, taskId, host, status: "queued" });
    if (how === "cut") throw new OutboundFailed("ECONNRESET");
    if (how === "unreadable") return reply(200, "?");
    if (how === "taken") return reply(200, { id });
    return await new Promise((_resolve, reject) =>
      request.signal.addEventListener("abort", {
        handleEvent: () => reject(new OutboundFailed("AbortError")),
      }),
    );
  }
}

function toTask({ id, status, taskId, error = { code: "", message: "" } }: Job): JsonObject {
  return {
    id,
    status,
    error,
    safety_identifier: taskId,
    content: { video_url: `https://files.example/${id}.mp4` },
    duration: 4,
  };
}

function reply(status: number, json: Json): OutboundReply {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  return {
    status,
    headers: new Headers(),
    bytes: async () => bytes,
    read: async () => ({}),
    take: () => undefined,
    cancel() {},
  };
}

export function arkChannel(name: string, rest: Partial<ChannelSettings> = {}): ChannelSettings {
  return {
    id: `chn_${name}` as ChannelId,
    name,
    type: "ark",
    format: null,
    baseUrl: `https://${name}.example`,
    models: [model],
    groups: ["default"],
    priority: 0,
    weight: 1,
    modelMapping: {},
    parametersSet: {},
    parametersRemoved: [],
    headers: {},
    dropStore: false,
    surcharges: {},
    allowObjects: false,
    concurrency: null,
    timeouts: { firstByteMs: null, stallMs: null, totalMs: null },
    transport: plainTransport,
    allowPrivate: false,
    keepsKeys: true,
    keys: [{ position: 0, text: `sk-of-${name}-0123`, isEnabled: true, restsUntilMs: 0 }],
    ...rest,
  };
}

export const caller: Caller = {
  accountId,
  username: "one",
  keyId,
  keyName: "",
  group: "default",
  multiplierPpm: 1_000_000,
  models: null,
  allowIps: null,
  expiresAtMs: null,
  isRestricted: false,
  rates: [],
};

const kept: KeptResult = { mediaId: "med_1.mp4", bytes: 9, type: "video/mp4", seconds: 4 };

export interface StandOptions extends BenchOptions {
  ark?: Ark;
  channels?: readonly ChannelSettings[];
  /** Channels that take no new work. */
  retired?: readonly ChannelSettings[];
  keep?(): Promise<KeptResult>;
}

export class Stand {
  readonly ark: Ark;
  readonly bench: Bench;
  readonly needs: SubmitVideoNeeds;
  readonly cancelling: CancelNeeds;
  readonly worker: VideoWorker;
  readonly events: TaskEvents;
  readonly creates: Creates;

  constructor(options: StandOptions = {}) {
    this.ark = options.ark ?? new Ark();
    const places = new TaskPlaces();
    const channels = new Channels({ failuresToEject: 5, ejectionMs: 1000, ejectionMsMax: 1000 });
    channels.replace(options.channels ?? [arkChannel("one")]);
    this.bench = new Bench({
      ...options,
      worker: {
        poll: (task) => this.worker.poll(task),
        find: (task) => this.worker.find(task),
      },
      changed: (task) => {
        places.changed(task);
        this.events.changed(task);
      },
    });
    const { time: clock, timers, book, engine, balances, database, store } = this.bench;
    const random = { bytes: randomBytes(), unit: () => 0.5 };
    const vendors = {
      send: this.ark.send,
      clock,
      deadlines: new Deadlines(clock, timers),
      channels,
      readRetired: async (id: ChannelId) =>
        options.retired?.find((settings) => settings.id === id) ?? null,
      vendorCallMs: 10_000,
    };
    const quiet = () => {};
    this.worker = new VideoWorker({
      vendors,
      keeper: { keep: options.keep ?? (async () => kept) },
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet, flush: quiet },
    });
    this.events = new TaskEvents({ book, render: ({ id, state }) => ({ id, state }) });
    this.creates = new Creates({ database, store, book, clock });
    const retryBudget = new RetryBudget(100);
    const told = { keyRefused() {}, keySuspected() {}, attempted() {} };
    const attempts = { clock, random, retryBudget, attemptsMax: 4, ...told };
    const ids = createIds(clock, random);
    this.cancelling = { vendors, book };
    this.needs = {
      intents: { ids, clock, book, balances, taskDeadlineMs: 7_200_000 },
      starting: { attempts, book, engine, places },
      vendors,
      references: {
        fetch: { open: () => Promise.reject(new Error("no host")) },
        fetchTimeoutMs: 1000,
      },
      prices: new Prices("refuse"),
    };
  }

  /** Takes up what the last process left. */
  resume(): void {
    void this.bench.engine
      .resume()
      .then((tasks) => this.needs.starting.places.adopt(tasks, this.needs.vendors.channels));
    drainMicrotasks();
  }

  submit(changes: JsonObject = {}, rest: Rest = {}): Promise<Task> {
    const asked = { ...body, ...changes };
    const family = findVideoFamily(model);
    if (!family) throw new Error("the family is gone");
    const { create = null, webhookUrl = null, home = null } = rest;
    const { signal } = new AbortController();
    const scope = { requestId: "req_1" as never, signal, startedAtMs: 0, hops: 0 };
    const job = family.parse(asked);
    const given = { family, job, body: asked, home, caller, scope };
    return submitVideo(this.needs, {
      ...given,
      webhookUrl,
      create,
      tries: { attempts: 0, channel: null, failedChannels: [] },
    });
  }
}

interface Rest {
  create?: Create | null;
  home?: AssetHome | null;
  webhookUrl?: string | null;
}

/** Each call differs, and each run is the same. */
function randomBytes(): (count: number) => Uint8Array {
  let at = seed++ * 7919;
  return (count) => Uint8Array.from({ length: count }, () => (at = (at * 75 + 74) % 65_537) & 255);
}

let seed = 1;
