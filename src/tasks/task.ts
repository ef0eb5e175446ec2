// A task: work that a vendor does while nobody waits. Its states and what may follow each are data.
import { assert } from "../core/assert.ts";
import type { AccountId, ChannelId, KeyId, TaskId } from "../core/ids.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { MediaPrice } from "../quota/media-price.ts";

/**
 * `submitting` is on record before the vendor is called; `unknown` is a call whose answer was lost:
 * the vendor may be working on it or not, and it is never sent again.
 */
export type TaskState =
  "submitting" | "unknown" | "queued" | "in_progress" | "completed" | "failed";

/** States that may follow; a task that is submitting may go to another channel first. */
export const transitions: Readonly<Record<TaskState, readonly TaskState[]>> = {
  submitting: ["submitting", "unknown", "queued", "in_progress", "failed"],
  unknown: ["queued", "in_progress", "failed"],
  queued: ["in_progress", "completed", "failed"],
  in_progress: ["completed", "failed"],
  completed: [],
  failed: [],
};

export function isTerminal(state: TaskState): boolean {
  return transitions[state].length === 0;
}

/** The event a task's owner is told, such as `video.completed`; four words are known outside. */
export function eventOf({ kind, state }: Task): string {
  return `${kind}.${shownStates[state]}`;
}

type ShownState = "queued" | "in_progress" | "completed" | "failed";

/** A task on its way to the vendor waits, as far as anyone outside is concerned. */
export const shownStates: Readonly<Record<TaskState, ShownState>> = {
  submitting: "queued",
  unknown: "queued",
  queued: "queued",
  in_progress: "in_progress",
  completed: "completed",
  failed: "failed",
};

/** The mark by which a repeated create is known as one. */
export interface Create {
  key: string;
  digest: string;
}

/** Facts that do not change from the first moment on. */
export interface TaskFacts {
  id: TaskId;
  kind: "video" | "image";
  accountId: AccountId;
  keyId: KeyId;
  group: string;
  family: string;
  /** The public model, as it was resolved. */
  model: string;
  /** The job in the family's neutral shape, without the bytes of its media. */
  job: JsonObject;
  price: MediaPrice;
  heldMicros: number;
  webhookUrl: string | null;
  createdAtMs: number;
  deadlineAtMs: number;
  /** The trace that it is part of; null where its request was not traced. */
  trace: string | null;
  /** The own word of the request that made it. */
  label: string | null;
}

/** The channel that works on it, and the exact key. */
export interface TaskPlace {
  channelId: ChannelId;
  keyDigest: string;
  upstreamModel: string;
}

export interface TaskProgress extends TaskPlace {
  state: TaskState;
  /** Percent. */
  progress: number;
  /** The vendor's name for it. */
  operation: string | null;
  result: TaskResult | null;
  delivered: Delivered;
  error: TaskError | null;
  nextPollAtMs: number | null;
  completedAtMs: number | null;
  deletedAtMs: number | null;
}

export interface Task extends TaskFacts, TaskProgress {}
export type EndedTask = Task & { completedAtMs: number };

/** The place of the result: in our own storage, or still with the vendor alone. */
export type TaskResult =
  | { kind: "kept"; mediaId: string; bytes: number; type: string }
  | { kind: "vendor" }
  | ImagesResult
  | ImgFResult;

/** A picture in our own storage. */
export interface KeptImage {
  mediaId: string;
  bytes: number;
  type: string;
  width: number | null;
  height: number | null;
  /** Null when the vendor took the prompt as it was. */
  revisedPrompt: string | null;
}

export interface ImagesResult {
  kind: "images";
  items: KeptImage[];
  /** Size of the first one, such as "1024x1024". */
  size: string | null;
  quality: string | null;
  usage: CountedTokens | null;
}

/** The vendor's own count. */
export interface CountedTokens {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  inputTextTokens: number | null;
  inputImageTokens: number | null;
  outputImageTokens: number | null;
  outputTextTokens: number | null;
}

/** The result of an imgF task, or of one that waits for its owner to say more. */
export interface ImgFResult {
  kind: "img-f";
  /** Null where there is only text. */
  image: KeptImage | null;
  /** Its owner must say more before it goes on. */
  isModal: boolean;
  promptEn: string | null;
  description: string | null;
  /** Actions it is open to, in the vendor's form. */
  buttons: Json[];
  properties: JsonObject;
}

export interface Delivered {
  seconds: number | null;
  tokens: number | null;
}

export interface TaskError {
  code: string;
  message: string;
}

export function assertMay(from: Task, to: Task): void {
  const isSame = from.state === to.state && !isTerminal(from.state);
  assert(
    isSame || transitions[from.state].includes(to.state),
    `a task does not go from ${from.state} to ${to.state}`,
  );
}

/** Amounts made, as far as they are counted. */
export interface TaskCounts {
  images?: number;
  seconds?: number;
  inputTokens?: number;
  outputTokens?: number;
}
