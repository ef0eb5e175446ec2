// The video itself, or another rendering of it.
import { GatewayError, invalid } from "../../core/errors.ts";
import type { Answer } from "../../gateway/answer.ts";
import { inEnvelope } from "../envelopes/enveloped-error.ts";
import { familyOf } from "../../gateway/video/render.ts";
import { openVariant, type VariantNeeds } from "../../gateway/video/variant.ts";
import type { VideoWorker } from "../../gateway/video/worker.ts";
import type { Caller } from "../../identity/caller.ts";
import type { MediaStore, OpenMedia } from "../../media/media.ts";
import type { TaskBook } from "../../tasks/book.ts";
import type { Task } from "../../tasks/task.ts";
import type { VideoVariant } from "../../upstreams/upstream.ts";
import { mediaAnswer, mediaHeaders } from "../media.ts";
import type { Incoming } from "../route.ts";
import { missingResult } from "./missing-result.ts";
import { ownVideo } from "./read.ts";

export interface VideoContentNeeds {
  book: TaskBook;
  media: MediaStore;
  worker: VideoWorker;
  variants: VariantNeeds;
}

const variants: readonly ("video" | VideoVariant)[] = ["video", "thumbnail", "spritesheet"];

export async function showContent(
  needs: VideoContentNeeds,
  incoming: Incoming,
  caller: Caller,
): Promise<Answer> {
  const task = await ownVideo(needs.book, incoming, caller);
  return await inEnvelope(familyOf(task).envelope, async () => {
    const variant = readVariant(incoming.query);
    if (task.state !== "completed") throw missingResult(task.state);
    if (variant !== "video") return await showVariant(needs, incoming, { task, variant });
    const media = await openResult(needs, task);
    if (!media) throw new GatewayError("not_found", { message: "The video is not kept any more." });
    return mediaAnswer(media, incoming.headers);
  });
}

async function showVariant(
  needs: VideoContentNeeds,
  { headers }: Incoming,
  { task, variant }: { task: Task; variant: VideoVariant },
): Promise<Answer> {
  const opened = await openVariant(needs.variants, task, variant);
  if (opened.kind === "whole") return mediaAnswer(opened.media, headers);
  const { type, source } = opened;
  return { status: 200, contentType: type, headers: mediaHeaders, body: source };
}

function readVariant(query: URLSearchParams): (typeof variants)[number] {
  const name = query.get("variant") ?? "video";
  const variant = variants.find((known) => known === name);
  if (variant !== undefined) return variant;
  throw invalid("variant", `must be one of ${variants.join(", ")}`);
}

/** From our own storage: the vendor's link may be dead by now. */
async function openResult(
  { media, worker, book }: VideoContentNeeds,
  task: Task,
): Promise<OpenMedia | null> {
  let { result } = task;
  if (result?.kind === "vendor") {
    result = await worker.copyLate(task);
    if (result) await book.move(task, result);
  }
  return result?.kind === "kept" ? await media.open(result.mediaId) : null;
}
