// The task engine's way to the vendors of imgF.
import type { TaskId } from "../../core/ids.ts";
import { describe, type Log } from "../../core/log.ts";
import { Lru } from "../../core/lru.ts";
import { NotMedia, type MediaStore } from "../../media/media.ts";
import { mediaKindOf } from "../../media/sniff.ts";
import { imageCost } from "../../quota/media-price.ts";
import type { Poll, Worker } from "../../tasks/engine.ts";
import type { KeptImage, Task, TaskError } from "../../tasks/task.ts";
import type { ImgFProgress, VideoResult } from "../../upstreams/upstream.ts";
import { findTaskPlace, imgFWay, type VendorNeeds, type VendorPlace } from "../task/vendor-call.ts";
import { teller } from "../conceal.ts";
import { fetchRulesOf } from "../target.ts";
import { toResult } from "./result.ts";
import { oneImage } from "./submit.ts";

interface ImgFWorkerNeeds {
  vendors: VendorNeeds;
  media: Pick<MediaStore, "keep" | "remove">;
  log: Log;
}

const copiesMax = 10;
const countedMax = 10_000;
const notKept: TaskError = {
  code: "bad_response_body",
  message: "The upstream's result is not an image, or could not be fetched.",
};

export class ImgFWorker implements Pick<Worker, "poll" | "find"> {
  readonly #needs: ImgFWorkerNeeds;
  /** Failed copies of pictures, counted by task. */
  readonly #failedCopies = new Lru<TaskId, number>(countedMax);

  constructor(needs: ImgFWorkerNeeds) {
    this.#needs = needs;
  }

  async poll(task: Task): Promise<Poll> {
    try {
      const place = await findTaskPlace(this.#needs.vendors, task);
      const way = place && imgFWay(this.#needs.vendors, place, { taskId: task.id, parent: null });
      if (!way || task.operation === null) return { kind: "unclear" };
      const progress = await way.facet.status(task.operation, way.call);
      return await this.#toPoll(task, place, progress);
    } catch (error) {
      const fields = { task: task.id, error: describe(error) };
      this.#needs.log.info("a task could not be asked about", fields);
      return { kind: "unclear" };
    }
  }

  async find(task: Task): ReturnType<Worker["find"]> {
    try {
      const place = await findTaskPlace(this.#needs.vendors, task);
      // An operator may bring the channel back.
      if (!place) return "unclear";
      const way = imgFWay(this.#needs.vendors, place, { taskId: task.id, parent: null });
      if (!way?.facet.find) return "never";
      const operation = await way.facet.find(way.call);
      return operation === null ? "absent" : { operation };
    } catch {
      return "unclear";
    }
  }

  async #toPoll(task: Task, place: VendorPlace, progress: ImgFProgress): Promise<Poll> {
    const { client: conceal } = teller(place);
    switch (progress.kind) {
      case "pending": {
        const state = (progress.progress ?? 0) > 0 ? "in_progress" : "queued";
        // It does not wait for its owner, or not any more.
        return { kind: "pending", state, progress: progress.progress, result: null };
      }
      case "modal":
        return {
          kind: "pending",
          state: "queued",
          progress: null,
          result: toResult(progress, null),
        };
      case "failed": {
        const message = conceal(progress.failReason ?? "The upstream could not do it.");
        return { kind: "failed", error: { code: "task_failed", message } };
      }
      case "completed":
        return await this.#toCompleted(task, place, progress);
    }
  }

  async #toCompleted(task: Task, place: VendorPlace, progress: ImgFProgress): Promise<Poll> {
    try {
      const image = progress.result && (await this.#keep(progress.result, place));
      this.#failedCopies.delete(task.id);
      const charge = { micros: imageCost(task.price, oneImage, null), usage: "1i" };
      return {
        kind: "completed",
        result: toResult(progress, image),
        delivered: { seconds: null, tokens: null },
        charge: { ...charge, counts: { images: image ? 1 : 0 } },
      };
    } catch (error) {
      const copies = (this.#failedCopies.get(task.id) ?? 0) + 1;
      this.#failedCopies.set(task.id, copies);
      if (copies < copiesMax) throw error;
      // The vendor has made it and charges for it; its owner has nothing of that.
      return { kind: "lost", error: notKept };
    }
  }

  async #keep(result: VideoResult, place: VendorPlace): Promise<KeptImage> {
    const kept = await this.#needs.media.keep(result, fetchRulesOf(place));
    const { mediaId, bytes, type, width, height } = kept;
    if (mediaKindOf(type) === "image") {
      return { mediaId, bytes, type, width, height, revisedPrompt: null };
    }
    await this.#needs.media.remove(mediaId);
    throw new NotMedia("The file is no image.");
  }
}
