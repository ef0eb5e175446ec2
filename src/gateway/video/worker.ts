// The task engine's way to the vendors of videos.
import type { TaskId } from "../../core/ids.ts";
import { describe, type Log } from "../../core/log.ts";
import { Lru } from "../../core/lru.ts";
import { videoFamilies } from "../../families/index.ts";
import { readJob } from "../../families/job-row.ts";
import { FetchFailed, type FetchRules } from "../../media/fetch.ts";
import { NotMedia } from "../../media/media.ts";
import { judgeUsage, type UsageDoubtNeeds } from "../../distribution/doubts.ts";
import { videoCost } from "../../quota/media-price.ts";
import { isLengthBelievable } from "../../quota/plausible.ts";
import type { Charge } from "../../tasks/book-needs.ts";
import type { Poll, Worker } from "../../tasks/engine.ts";
import type { Delivered, Task, TaskError, TaskResult } from "../../tasks/task.ts";
import type { VideoProgress, VideoResult } from "../../upstreams/upstream.ts";
import { teller } from "../conceal.ts";
import { fetchRulesOf } from "../target.ts";
import {
  findTaskPlace,
  videoWay,
  type VendorNeeds,
  type VendorPlace,
} from "../task/vendor-call.ts";

/** Copies a vendor's result to where it stays. */
interface ResultKeeper {
  keep(result: VideoResult, rules: FetchRules): Promise<KeptResult>;
}

export interface KeptResult {
  mediaId: string;
  bytes: number;
  type: string;
  seconds: number | null;
}

interface VideoWorkerNeeds {
  vendors: VendorNeeds;
  keeper: ResultKeeper;
  doubts: UsageDoubtNeeds;
  log: Log;
}

const copiesMax = 10;
const countedMax = 10_000;
const notFetched: TaskError = {
  code: "task_failed",
  message: "The upstream's result could not be fetched.",
};
const notVideo = "The upstream's result is not a video.";

export class VideoWorker implements Pick<Worker, "poll" | "find"> {
  readonly #needs: VideoWorkerNeeds;
  /** Failed copies of results, counted by task. */
  readonly #failedCopies = new Lru<TaskId, number>(countedMax);

  constructor(needs: VideoWorkerNeeds) {
    this.#needs = needs;
  }

  async poll(task: Task): Promise<Poll> {
    try {
      const place = await findTaskPlace(this.#needs.vendors, task);
      const progress = place && (await this.#ask(task, place));
      if (!place || !progress) return { kind: "unclear" };
      return await this.#toPoll(task, place, progress);
    } catch (error) {
      this.#needs.log.info("a task could not be asked about", {
        task: task.id,
        error: describe(error),
      });
      return { kind: "unclear" };
    }
  }

  async find(task: Task): ReturnType<Worker["find"]> {
    try {
      const place = await findTaskPlace(this.#needs.vendors, task);
      // An operator may bring the channel back.
      if (!place) return "unclear";
      const way = videoWay(this.#needs.vendors, place, {
        taskId: task.id,
        model: task.upstreamModel,
      });
      if (!way?.facet.find) return "never";
      const operation = await way.facet.find(way.call);
      if (operation === undefined) return "never";
      return operation === null ? "absent" : { operation };
    } catch {
      return "unclear";
    }
  }

  /** Copies the result of a task that was completed without one. */
  async copyLate(task: Task): Promise<TaskResult | null> {
    const place = await findTaskPlace(this.#needs.vendors, task);
    const progress = place && (await this.#ask(task, place));
    if (!place || progress?.kind !== "completed") return null;
    return toResult(await this.#keep(progress.result, place));
  }

  async #ask({ id, operation, upstreamModel }: Task, place: VendorPlace) {
    const way = videoWay(this.#needs.vendors, place, { taskId: id, model: upstreamModel });
    return way && operation !== null ? await way.facet.status(operation, way.call) : null;
  }

  async #toPoll(task: Task, place: VendorPlace, progress: VideoProgress): Promise<Poll> {
    switch (progress.kind) {
      case "pending":
        return { kind: "pending", state: progress.status, progress: progress.progress };
      case "failed": {
        const { client: conceal } = teller(place);
        const error = { code: conceal(progress.code), message: conceal(progress.message) };
        return { kind: "failed", error };
      }
      case "completed":
        return await this.#toCompleted(task, place, progress);
    }
  }

  async #toCompleted(
    task: Task,
    place: VendorPlace,
    { result, seconds, tokens }: Extract<VideoProgress, { kind: "completed" }>,
  ): Promise<Poll> {
    try {
      const kept = await this.#keep(result, place);
      this.#failedCopies.delete(task.id);
      this.#judge(task, seconds);
      return toPoll(task, toResult(kept), { seconds: seconds ?? kept.seconds, tokens });
    } catch (error) {
      const copies = (this.#failedCopies.get(task.id) ?? 0) + 1;
      this.#failedCopies.set(task.id, copies);
      if (copies < copiesMax) throw error;
      if (error instanceof NotMedia) {
        return { kind: "failed", error: { code: "task_failed", message: notVideo } };
      }
      // The vendor has made it and charges for it; its owner has nothing of that.
      if (error instanceof FetchFailed) return { kind: "lost", error: notFetched };
      // Our own storage failed: whoever wants it later has it fetched from the vendor.
      this.#judge(task, seconds);
      return toPoll(task, { kind: "vendor" }, { seconds, tokens });
    }
  }

  #judge(task: Task, seconds: number | null): void {
    const channel = this.#needs.vendors.channels.find(task.channelId);
    if (channel && seconds !== null) {
      judgeUsage(this.#needs.doubts, channel, isBelieved(task, seconds));
    }
  }

  #keep(result: VideoResult, place: VendorPlace): Promise<KeptResult> {
    return this.#needs.keeper.keep(result, fetchRulesOf(place));
  }
}

function toResult({ mediaId, bytes, type }: KeptResult): TaskResult {
  return { kind: "kept", mediaId, bytes, type };
}

function toPoll(task: Task, result: TaskResult, delivered: Delivered): Poll {
  return { kind: "completed", result, delivered, charge: chargeFor(task, delivered) };
}

/**
 * Charge for delivered video at the price of the day it was asked for, and never for more than was
 * asked for, whatever the vendor says and the family makes of it.
 */
function chargeFor(task: Task, delivered: Delivered): Charge {
  const family = videoFamilies.find(({ name }) => name === task.family);
  const job = readJob(task.job);
  const askedSeconds = family?.units(job).seconds ?? 0;
  const actualSeconds = family?.actual?.(job, delivered).seconds ?? askedSeconds;
  const seconds = Math.min(actualSeconds, askedSeconds);
  const mark = isBelieved(task, delivered.seconds) ? "" : "!";
  const usage = `${mark}${seconds}s`;
  return { micros: videoCost(task.price, seconds), usage, counts: { seconds } };
}

/** A video that goes on from another may be told with the length of that, too. */
function isBelieved(task: Task, toldSeconds: number | null): boolean {
  const family = videoFamilies.find(({ name }) => name === task.family);
  const job = readJob(task.job);
  const isExtended = job.media.some(({ role }) => role === "source");
  if (toldSeconds === null || !family || isExtended) return true;
  return isLengthBelievable(toldSeconds, family.units(job).seconds);
}
