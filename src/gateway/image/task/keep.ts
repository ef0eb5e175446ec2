// Copy the media a vendor made for a task to where they stay.
import { sleep, type Timers } from "../../../core/clock.ts";
import { describe, type Log } from "../../../core/log.ts";
import type { ImageJob } from "../../../families/image-job.ts";
import { NotMedia, type KeptMedia, type MediaStore } from "../../../media/media.ts";
import type { ImagesResult, KeptImage, Task, TaskError } from "../../../tasks/task.ts";
import type { ImageReply, MadeImage } from "../../../upstreams/upstream.ts";
import { keepImage, type DeliverRules } from "../deliver.ts";
import { shareOf } from "../try-image.ts";

export interface KeepNeeds {
  media: MediaStore;
  timers: Timers;
  log: Log;
}

export interface VendorImages extends DeliverRules {
  reply: ImageReply;
}

export const imageNotKept: TaskError = {
  code: "bad_response_body",
  message: "The upstream's result is not an image, or could not be fetched.",
};

/** Those that can be had; null when there is none. */
export async function keepAll(
  needs: KeepNeeds,
  { task, came, job }: { task: Task; came: VendorImages; job: ImageJob },
): Promise<ImagesResult | null> {
  const { reply } = came;
  const items: KeptImage[] = [];
  // More than was asked for was not paid for; one by one, which bounds what they take.
  for (const image of reply.images.slice(0, job.count)) {
    const kept = await keepOne(needs, task, image, came);
    if (kept) items.push(toKept(kept, image));
  }
  const [first] = items;
  if (!first) return null;
  return {
    kind: "images",
    items,
    size: sizeOf(first) ?? reply.images[0]?.size ?? null,
    quality: reply.quality ?? job.quality,
    usage: shareOf(reply, items.length),
  };
}

/** Before each further try; a vendor's link is good for a while. */
const pausesMs = [500, 2000];

async function keepOne(
  needs: KeepNeeds,
  { id }: Task,
  image: MadeImage,
  came: VendorImages,
): Promise<KeptMedia | null> {
  for (let tries = 0; ; tries++) {
    try {
      return await keepImage(needs, image, came);
    } catch (error) {
      const pauseMs = error instanceof NotMedia ? undefined : pausesMs[tries];
      if (pauseMs === undefined) {
        const fields = { task: id, error: describe(error) };
        needs.log.warn("an image of a task could not be kept", fields);
        return null;
      }
      await sleep(needs.timers, pauseMs);
    }
  }
}

function toKept(
  { mediaId, bytes, type, width, height }: KeptMedia,
  { revisedPrompt }: Pick<MadeImage, "revisedPrompt">,
): KeptImage {
  return { mediaId, bytes, type, width, height, revisedPrompt };
}

function sizeOf({ width, height }: KeptImage): string | null {
  return width === null || height === null ? null : `${width}x${height}`;
}

export async function removeAll({ media }: KeepNeeds, items: readonly KeptImage[]): Promise<void> {
  await Promise.all(items.map(({ mediaId }) => media.remove(mediaId)));
}
