// imgF from the parsed body to the end of its tasks, with everything but the vendor, the clock, the
// storage and the disk as it is, for the tests of this module.
import { drainMicrotasks } from "bun:jsc";
import { Deadlines } from "../../core/deadline.ts";
import { createIds } from "../../core/ids.ts";
import { isObject, parseJson, type Json, type JsonObject } from "../../core/json.ts";
import { OutboundFailed, type OutboundReply, type OutboundRequest } from "../../core/outbound.ts";
import type { ChannelSettings } from "../../distribution/channel.ts";
import { Channels } from "../../distribution/channels.ts";
import { RetryBudget } from "../../distribution/retry-budget.ts";
import { parseImgF } from "../../families/index.ts";
import { imgFActions, type ImgFAction } from "../../families/img-f-job.ts";
import type { KeptMedia } from "../../media/media.ts";
import { Prices } from "../../quota/prices.ts";
import { Bench, type BenchOptions } from "../../tasks/book-and-engine.fixture.ts";
import type { Create, Task } from "../../tasks/task.ts";
import { TaskPlaces } from "../task/places.ts";
import { arkChannel, caller } from "../video/video-tasks.fixture.ts";
import type { SayMoreNeeds } from "./say-more.ts";
import { submitImgF, type ImgFMade, type SubmitImgFNeeds } from "./submit.ts";
import { ImgFWorker } from "./worker.ts";

const models = imgFActions.map((action) => `imgF-${action}`);

/** How the vendor takes a start. */
export type Start =
  | "taken"
  /** It waits for its owner to say more. */
  | "asks"
  /** It is taken, and nobody hears of it. */
  | "cut"
  /** The dialect's number of a refusal. */
  | number;

interface Job {
  id: string;
  note: string;
  host: string;
  path: string;
  body: JsonObject;
  status: "SUBMITTED" | "IN_PROGRESS" | "MODAL" | "SUCCESS" | "FAILURE";
}

/** A proxy that outlives every gateway in front of it. */
export class Proxy {
  readonly jobs: Job[] = [];
  readonly requests: OutboundRequest[] = [];
  /** In turn; then everything is taken. */
  readonly starts: Start[] = [];

  readonly send = async (request: OutboundRequest): Promise<OutboundReply> => {
    this.requests.push(request);
    const { host, pathname } = new URL(request.url);
    if (request.method === "POST") return this.#submit(host, pathname, request);
    if (pathname.endsWith("/task/list")) return reply(this.jobs.map(show));
    const id = pathname.split("/").at(-2);
    const job = this.jobs.find((one) => one.id === id);
    return reply(job ? show(job) : null);
  };

  #submit(host: string, path: string, request: OutboundRequest): OutboundReply {
    const how = this.starts.shift() ?? "taken";
    if (typeof how === "number") return reply({ code: how, description: "No.", properties: {} });
    const sent = parseJson(new TextEncoder().encode(String(request.body)));
    const body = isObject(sent) ? sent : {};
    const status = how === "asks" ? "MODAL" : "SUBMITTED";
    const before = this.jobs.find(({ id }) => path.endsWith("/modal") && id === body["taskId"]);
    if (before) before.status = status;
    const id = before?.id ?? `mj-${this.jobs.length + 1}`;
    const note = String(body["state"]);
    if (!before) this.jobs.push({ id, note, host, path, body, status });
    if (how === "cut") throw new OutboundFailed("ECONNRESET");
    return reply({ code: how === "asks" ? 21 : 1, description: "", result: id, properties: {} });
  }
}

function show({ id, note, status }: Job): JsonObject {
  const isDone = status === "SUCCESS";
  return {
    id,
    status,
    state: note,
    action: "IMAGINE",
    progress: status === "IN_PROGRESS" ? "40%" : "0%",
    imageUrl: isDone ? `https://files.example/${id}.png` : "",
    failReason: status === "FAILURE" ? "It could not be drawn." : "",
    promptEn: isDone ? "a fox" : "",
    buttons: isDone ? [{ customId: `button of ${id}` }] : [],
    properties: {},
  };
}

function reply(json: Json): OutboundReply {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  const rest = { read: async () => ({}), take: () => undefined, cancel() {} };
  return { status: 200, headers: new Headers(), bytes: async () => bytes, ...rest };
}

export function proxyChannel(name: string, rest: Partial<ChannelSettings> = {}): ChannelSettings {
  return arkChannel(name, { type: "midjourney", models, ...rest });
}

const kept: KeptMedia = {
  mediaId: "media_1.png",
  bytes: 9,
  type: "image/png",
  width: 1024,
  height: 1024,
  seconds: null,
};

interface StandOptions extends BenchOptions {
  proxy?: Proxy;
  channels?: readonly ChannelSettings[];
  keep?(): Promise<KeptMedia>;
}

export class Stand {
  readonly proxy: Proxy;
  readonly bench: Bench;
  readonly needs: SubmitImgFNeeds;
  readonly sayingMore: SayMoreNeeds;

  constructor(options: StandOptions = {}) {
    this.proxy = options.proxy ?? new Proxy();
    const places = new TaskPlaces();
    const channels = new Channels({ failuresToEject: 5, ejectionMs: 1000, ejectionMsMax: 1000 });
    channels.replace(options.channels ?? [proxyChannel("one")]);
    this.bench = new Bench({
      ...options,
      worker: { poll: (task) => worker.poll(task), find: (task) => worker.find(task) },
      changed: (task) => places.changed(task),
    });
    const { time: clock, timers, book, engine, balances } = this.bench;
    const vendors = {
      send: this.proxy.send,
      clock,
      deadlines: new Deadlines(clock, timers),
      channels,
      readRetired: async () => null,
      vendorCallMs: 10_000,
    };
    const quiet = () => {};
    const log = { debug: quiet, info: quiet, warn: quiet, error: quiet, flush: quiet };
    const media = { keep: options.keep ?? (async () => kept), remove: async () => {} };
    const worker = new ImgFWorker({ vendors, media, log });
    const random = { bytes: randomBytes(), unit: () => 0.5 };
    const retryBudget = new RetryBudget(100);
    const told = { keyRefused() {}, keySuspected() {}, attempted() {} };
    const attempts = { clock, random, retryBudget, attemptsMax: 4, ...told };
    const ids = createIds(clock, random);
    this.sayingMore = { vendors, book, engine };
    this.needs = {
      intents: { ids, clock, book, balances, taskDeadlineMs: 600_000 },
      starting: { attempts, book, engine, places },
      vendors,
      prices: new Prices("refuse"),
    };
  }

  submit(action: ImgFAction, body: JsonObject, rest: Rest = {}): Promise<ImgFMade> {
    const { parent = null, create = null } = rest;
    const job = parseImgF(action, body);
    const tries = { attempts: 0, channel: null, failedChannels: [] };
    return submitImgF(this.needs, { job, parent, caller, webhookUrl: null, create, tries });
  }

  /** All that is under way ends well. */
  finish(): void {
    for (const job of this.proxy.jobs) if (job.status !== "MODAL") job.status = "SUCCESS";
    this.bench.run(30_000);
  }

  /** Takes up what the last process left. */
  resume(): void {
    void this.bench.engine.resume();
    drainMicrotasks();
  }
}

interface Rest {
  parent?: Task | null;
  create?: Create | null;
}

let seed = 1;

/** Each call differs, and each run is the same. */
function randomBytes(): (count: number) => Uint8Array {
  let at = seed++ * 7919;
  return (count) => Uint8Array.from({ length: count }, () => (at = (at * 75 + 74) % 65_537) & 255);
}
