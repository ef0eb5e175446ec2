// The task engine's way to the vendors of videos.
import { describe, type Log } from "../../core/log.ts";
import type { ChannelId } from "../../core/ids.ts";
import { readJob } from "../../families/job-row.ts";
import { videoFamilies } from "../../families/index.ts";
import { videoCost } from "../../quota/media-price.ts";
import type { Charge } from "../../tasks/book.ts";
import type { Poll, Worker } from "../../tasks/engine.ts";
import type { Delivered, Task, TaskResult } from "../../tasks/task.ts";
import type { VideoProgress, VideoResult } from "../../upstreams/upstream.ts";
import { findPlace, videoWay, type VendorParts, type VendorWay } from "./vendor-call.ts";

/** Copies a vendor's result to where it stays. */
export interface ResultKeeper {
  keep(result: VideoResult, rules: { allowPrivate: boolean }): Promise<KeptResult>;
}

export interface KeptResult {
  mediaId: string;
  bytes: number;
  type: string;
  seconds: number | null;
}

export interface VideoWorkerParts extends VendorParts {
  keeper: ResultKeeper;
  log: Log;
  pollsPerChannelMax: number;
}

export class VideoWorker implements Worker {
  readonly #parts: VideoWorkerParts;

  constructor(parts: VideoWorkerParts) {
    this.#parts = parts;
  }

  pollsMax(_channelId: ChannelId): number {
    return this.#parts.pollsPerChannelMax;
  }

  async poll(task: Task): Promise<Poll> {
    const way = this.#wayTo(task);
    if (!way || task.operation === null) return { kind: "unclear" };
    try {
      const progress = await way.facet.status(task.operation, way.call);
      return await this.#toPoll(task, progress);
    } catch (error) {
      this.#parts.log.info("a task could not be asked about", {
        task: task.id,
        error: describe(error),
      });
      return { kind: "unclear" };
    }
  }

  async find(task: Task): ReturnType<Worker["find"]> {
    const way = this.#wayTo(task);
    if (!way?.facet.find) return "never";
    try {
      const operation = await way.facet.find(way.call);
      return operation === null ? "absent" : { operation };
    } catch {
      return "unclear";
    }
  }

  #wayTo(task: Task): VendorWay | null {
    const place = findPlace(this.#parts, task);
    return place && videoWay(this.#parts, place, { taskId: task.id, model: task.upstreamModel });
  }

  async #toPoll(task: Task, progress: VideoProgress): Promise<Poll> {
    switch (progress.kind) {
      case "pending":
        return { kind: "pending", state: progress.status, progress: progress.progress };
      case "failed":
        return { kind: "failed", error: { code: progress.code, message: progress.message } };
      case "completed": {
        const place = findPlace(this.#parts, task);
        const allowPrivate = place?.channel.settings.allowPrivate ?? false;
        const kept = await this.#parts.keeper.keep(progress.result, { allowPrivate });
        const { mediaId, bytes, type } = kept;
        const result: TaskResult = { kind: "kept", mediaId, bytes, type };
        const seconds = progress.seconds ?? kept.seconds;
        const delivered: Delivered = { seconds, tokens: progress.tokens };
        return { kind: "completed", result, delivered, charge: chargeFor(task, delivered) };
      }
    }
  }
}

/** What was delivered is charged at the price of the day it was asked for. */
function chargeFor(task: Task, delivered: Delivered): Charge {
  const family = videoFamilies.find(({ name }) => name === task.family);
  const job = readJob(task.job);
  const units = family?.actual?.(job, delivered) ?? family?.units(job);
  const seconds = units?.seconds ?? 0;
  return { micros: videoCost(task.price, seconds), usage: `${seconds}s` };
}
