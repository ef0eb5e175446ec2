// A task that somebody waits for after all: the answer is its images, as if they had been made at
// once. Whoever leaves finds it again by the key that it was made with.
import { catalogue, GatewayError, type ErrorCode } from "../../core/errors.ts";
import type { TaskId } from "../../core/ids.ts";
import type { Micros } from "../../core/money.ts";
import type { MediaStore } from "../../media/media.ts";
import type { MediaType } from "../../media/sniff.ts";
import type { TaskBook } from "../../tasks/book.ts";
import { isTerminal, type KeptImage, type Task, type TaskError } from "../../tasks/task.ts";
import type { TaskEvents } from "../task/events.ts";
import { deliverKept, type Delivery } from "./deliver.ts";
import { HeldTexts, type HoldNeeds } from "./held/texts.ts";
import type { MadeImages, MadePicture } from "./render-image.ts";
import type { ServedMade } from "./try-image.ts";

export interface AwaitNeeds {
  holding: HoldNeeds;
  events: TaskEvents;
  book: TaskBook;
  media: MediaStore;
  /** The charge of a task that has ended; null where its entry is not kept any more. */
  chargeOf(id: TaskId): Promise<Micros | null>;
}

/** The task when it is completed; throws what it failed with, and then its key is free again. */
export async function awaitTask(
  { events, book }: AwaitNeeds,
  task: Task,
  signal: AbortSignal,
): Promise<Task> {
  const source = events.open(task);
  const leave = () => source.cancel();
  signal.addEventListener("abort", leave);
  try {
    if (signal.aborted) leave();
    await source.ended;
  } finally {
    signal.removeEventListener("abort", leave);
    source.cancel();
  }
  if (signal.aborted) throw new GatewayError("client_closed_request");
  const ended = (await book.find(task.id)) ?? task;
  if (ended.state === "completed") return ended;
  if (!isTerminal(ended.state)) {
    const message = "The images are still being made: ask again with the same Idempotency-Key.";
    throw new GatewayError("overloaded", { message, retryAfterSeconds: 5 });
  }
  // It cost nothing, and whoever asks again means it.
  await book.remove(ended);
  throw toError(ended.error);
}

function toError(error: TaskError | null): GatewayError {
  const { code, message: vendorMessage } = error ?? {
    code: "server_error",
    message: "The task failed.",
  };
  if (code.startsWith("task_")) return new GatewayError("bad_response", { vendorMessage });
  if (isCode(code)) return new GatewayError(code, { vendorMessage });
  const shown = { upstreamStatus: 400, type: "invalid_request_error", code };
  return new GatewayError("upstream_refused", { vendorMessage, shown });
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(catalogue, code);
}

/** The task's pictures as they are delivered. */
export async function openTaskImages(
  needs: AwaitNeeds,
  { result, createdAtMs }: Task,
  { delivery, address }: { delivery: Delivery; address: string | null },
): Promise<ServedMade> {
  if (result?.kind !== "images") throw new GatewayError("server_error");
  const held = new HeldTexts(needs.holding);
  try {
    const pictures: MadePicture[] = [];
    for (const item of result.items) {
      pictures.push(await open(needs, item, { delivery, address, held }));
    }
    const { quality, usage } = result;
    const createdAtSeconds = Math.floor(createdAtMs / 1000);
    const images: MadeImages = {
      pictures,
      failures: [],
      quality,
      background: null,
      usage,
      createdAtSeconds,
    };
    return { kind: "made", made: images, held };
  } catch (error) {
    await held.drop();
    throw error;
  }
}

async function open(
  { media }: AwaitNeeds,
  { mediaId, type, width, height, revisedPrompt }: KeptImage,
  { delivery, address, held }: { delivery: Delivery; address: string | null; held: HeldTexts },
): Promise<MadePicture> {
  const base64 = delivery === "url" ? null : await deliverKept(media, mediaId, held);
  const url = delivery === "b64_json" ? null : media.link(mediaId, address);
  // Only pictures are kept as those of a task.
  const shape = { type: type as MediaType, width, height };
  return { mediaId, base64, url, ...shape, revisedPrompt, size: null };
}
