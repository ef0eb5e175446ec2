// Image tasks from the parsed body to their end, with everything but the vendor, the clock, the
// storage and the disk as it is, for the tests of this module.
import { noPrice } from "../../../catalogue/model.ts";
import { drainMicrotasks } from "bun:jsc";
import { Deadlines } from "../../../core/deadline.ts";
import { createIds } from "../../../core/ids.ts";
import { isObject, parseJson, type Json, type JsonObject } from "../../../core/json.ts";
import {
  OutboundFailed,
  type OutboundReply,
  type OutboundRequest,
} from "../../../core/outbound.ts";
import type { ChannelSettings } from "../../../distribution/channel.ts";
import { Channels } from "../../../distribution/channels.ts";
import { RetryBudget } from "../../../distribution/retry-budget.ts";
import { findImageFamily } from "../../../families/index.ts";
import { NotMedia, type KeptMedia, type KeptSource } from "../../../media/media.ts";
import { Prices } from "../../../quota/prices.ts";
import { Bench, type BenchOptions } from "../../../tasks/book-and-engine.fixture.ts";
import type { Create, Task } from "../../../tasks/task.ts";
import { arkChannel, caller } from "../../video/video-tasks.fixture.ts";
import type { RunImageNeeds } from "../run-image.ts";
import { submitImage, type SubmitImageNeeds } from "../submit-image.ts";
import { ImageRuns } from "./runs.ts";
import { ImageWorker } from "./worker.ts";

const model = "imageA-2";
export const imageMicros = 1000;

/** How the vendor takes a call. */
export type Answer =
  | "made"
  /** It is made, and nobody hears of it. */
  | "cut"
  | "silent"
  | "unreadable"
  /** It is made, and is no picture. */
  | "no picture"
  /** No connection is made. */
  | "unreached"
  | { status: number; json: Json }
  /** It takes until then. */
  | Promise<void>;

/** A maker of pictures that answers when they are done; it outlives every gateway before it. */
export class Painter {
  readonly requests: OutboundRequest[] = [];
  /** The prompts of what was made, in this order. */
  readonly made: string[] = [];
  /** By host, in turn; then everything is made. */
  readonly answers = new Map<string, Answer[]>();
  /** Called when a call arrives, before it is answered. */
  arrived: (request: OutboundRequest) => void = () => {};

  readonly send = async (request: OutboundRequest): Promise<OutboundReply> => {
    this.requests.push(request);
    this.arrived(request);
    const how = this.answers.get(new URL(request.url).host)?.shift() ?? "made";
    if (how === "unreached") throw new OutboundFailed("ECONNREFUSED", true);
    if (how instanceof Promise) await how;
    else if (typeof how === "object") return reply(how.status, how.json);
    const body = parseJson(new TextEncoder().encode(String(request.body)));
    const { prompt = "", n = 1 } = isObject(body) ? body : {};
    this.made.push(String(prompt));
    if (how === "cut") throw new OutboundFailed("ECONNRESET");
    if (how === "unreadable") return reply(200, "?");
    if (how === "silent") return await silence(request.signal);
    const data = Array.from({ length: Number(n) }, (_, at) => ({
      b64_json: how === "no picture" ? "AAAA" : `png${at}`,
    }));
    return reply(200, { created: 1, data, size: "1024x1024", quality: "low" });
  };
}

function silence(signal: OutboundRequest["signal"]): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", {
      handleEvent: () => reject(new OutboundFailed("AbortError")),
    });
  });
}

function reply(status: number, json: Json): OutboundReply {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  const chunks = [bytes];
  return {
    status,
    headers: new Headers(),
    bytes: async () => bytes,
    read: async () => ({ value: chunks.shift() }),
    take: () => undefined,
    cancel() {},
  };
}

export function painterChannel(name: string, rest: Partial<ChannelSettings> = {}): ChannelSettings {
  return arkChannel(name, { type: "openai", models: [model], ...rest });
}

export interface StandOptions extends BenchOptions {
  painter?: Painter;
  channels?: readonly ChannelSettings[];
  runsPerChannel?: number;
  waitingMax?: number;
  bytesMax?: number;
}

/** The storage: it outlives nothing, and knows what was kept. */
class Shelf {
  readonly kept: string[] = [];
  #count = 0;

  async keep(source: KeptSource): Promise<KeptMedia> {
    if (source.kind === "bytes" && source.base64 === "AAAA") throw new NotMedia("no picture");
    const mediaId = `media_${++this.#count}.png`;
    this.kept.push(mediaId);
    const size = { width: 1024, height: 1024, seconds: null };
    return { mediaId, bytes: 9, type: "image/png", ...size };
  }

  async remove(id: string): Promise<void> {
    this.kept.splice(this.kept.indexOf(id), 1);
  }
}

function pricesOf(): Prices {
  const prices = new Prices("refuse");
  prices.replace(new Map([[model, { ...noPrice, imageMicros }]]));
  return prices;
}

export class Stand {
  readonly painter: Painter;
  readonly bench: Bench;
  readonly needs: SubmitImageNeeds;
  readonly runs: ImageRuns;
  readonly shelf = new Shelf();
  readonly channels: Channels;

  constructor(options: StandOptions = {}) {
    this.painter = options.painter ?? new Painter();
    this.channels = new Channels({ failuresToEject: 5, ejectionMs: 1000, ejectionMsMax: 1000 });
    this.channels.replace(options.channels ?? [painterChannel("one")]);
    this.bench = new Bench({
      ...options,
      worker: { poll: (task) => worker.poll(task), find: async () => "never" },
    });
    const { time: clock, timers, book, engine, balances, errors } = this.bench;
    const quiet = () => {};
    const error = (message: string, fields = {}) =>
      void errors.push(`${message} ${JSON.stringify(fields)}`);
    const log = { debug: quiet, info: quiet, warn: quiet, error, flush: quiet };
    this.runs = new ImageRuns({
      timers,
      log,
      runsPerChannelMax: options.runsPerChannel ?? 4,
      waitingMax: options.waitingMax ?? 100,
      bytesMax: options.bytesMax ?? 1_000_000,
    });
    const worker = new ImageWorker(this.runs, clock);
    const random = { bytes: randomBytes(), unit: () => 0.5 };
    const ids = createIds(clock, random);
    const retryBudget = new RetryBudget(100);
    const told = { keyRefused() {}, keySuspected() {}, attempted() {} };
    this.needs = {
      intents: { ids, clock, book, balances, taskDeadlineMs: 600_000 },
      opening: { channels: this.channels, prices: pricesOf(), balances },
      performing: {
        attempts: { clock, random, retryBudget, attemptsMax: 4, ...told },
        doubts: { clock, doubted() {} },
        running: this.#runningNeeds(),
        holding: { spool: {} as never, random },
        keeping: { media: this.shelf as never, timers, log },
        book,
      },
      book,
      engine,
      runs: this.runs,
    };
  }

  #runningNeeds(): RunImageNeeds {
    const { time: clock, timers } = this.bench;
    return {
      send: this.painter.send,
      clock,
      deadlines: new Deadlines(clock, timers),
      references: {
        fetch: { open: () => Promise.reject(new Error("no host")) },
        fetchTimeoutMs: 1000,
      },
      imageCallMs: 60_000,
      imageReplyBytesMax: 1_000_000,
    };
  }

  submit(prompt: string, rest: Rest = {}): Promise<Task> {
    const { bytes = 10, create = null, webhookUrl = null, fields = {} } = rest;
    const body = { model, prompt, ...fields };
    const family = findImageFamily(model);
    if (!family) throw new Error("the family is gone");
    const job = family.parse(body, { kind: "generate", isForm: false });
    const asked = { family, job, body, caller, bytes, hops: 0, webhookUrl, create };
    return submitImage(this.needs, asked);
  }

  /** Takes up what the last process left. */
  resume(): void {
    void this.bench.engine.resume();
    drainMicrotasks();
  }
}

interface Rest {
  bytes?: number;
  create?: Create | null;
  webhookUrl?: string | null;
  fields?: JsonObject;
}

let seed = 1;

/** Each call differs, and each run is the same. */
function randomBytes(): (count: number) => Uint8Array {
  let at = seed++ * 7919;
  return (count) => Uint8Array.from({ length: count }, () => (at = (at * 75 + 74) % 65_537) & 255);
}
