// An image task from its turn to its end, while nobody waits: channel by channel where it was
// surely not taken, and never again where it may have been. What came is kept before it is charged.
import { sleep } from "../../../core/clock.ts";
import { GatewayError, toGatewayError } from "../../../core/errors.ts";
import { describe } from "../../../core/log.ts";
import type { Channel } from "../../../distribution/channel.ts";
import type { Choice } from "../../../distribution/choose.ts";
import { judgeUsage, type UsageDoubtNeeds } from "../../../distribution/doubts.ts";
import { namesOf } from "../../../families/model-names.ts";
import type { RequestTrace } from "../../../observe/otlp/request-trace.ts";
import type { Tracer } from "../../../observe/otlp/tracer.ts";
import type { TaskBook } from "../../../tasks/book.ts";
import type { Charge } from "../../../tasks/book-needs.ts";
import { isTerminal, type ImagesResult } from "../../../tasks/task.ts";
import type { Task, TaskError } from "../../../tasks/task.ts";
import type { ImageReply } from "../../../upstreams/upstream.ts";
import { attemptChannels, type Attempt, type AttemptNeeds } from "../../attempt.ts";
import type { ServedAttempt } from "../../served-attempt.ts";
import { newProgress } from "../../progress.ts";
import { fetchRulesOf } from "../../target.ts";
import { taskPlaceOf } from "../../task/intent.ts";
import { toUntaken } from "../../task/start-task.ts";
import { HeldTexts, type HoldNeeds } from "../held/texts.ts";
import type { ImageOrder, OpenedImage } from "../open-image.ts";
import { runImage, type RunImageNeeds } from "../run-image.ts";
import { chargeImages } from "../settle-image.ts";
import { keepAll, imageNotKept, removeAll, type VendorImages, type KeepNeeds } from "./keep.ts";
import type { RunAbort } from "./runs.ts";
import type { ChannelSlots } from "./slots.ts";

export interface PerformNeeds {
  attempts: AttemptNeeds;
  doubts: UsageDoubtNeeds;
  running: RunImageNeeds;
  holding: HoldNeeds;
  keeping: KeepNeeds;
  book: TaskBook;
  /** Null where nothing is traced. */
  tracer: Pick<Tracer, "openTask" | "tried"> | null;
}

/** A task that is on record, with all that it takes to carry it out. */
export interface TaskWork {
  task: Task;
  order: Pick<ImageOrder, "job" | "body">;
  opened: Pick<OpenedImage, "candidates" | "price" | "most">;
  hops: number;
  slots: ChannelSlots;
}

type End =
  | { kind: "completed"; result: ImagesResult; charge: Charge }
  | { kind: "failed"; error: TaskError }
  /** The vendor may have made it, and charge for it. */
  | { kind: "lost"; error: TaskError };

/** The error where the order is not kept any more: its owner may ask anew. */
export const neverSent: TaskError = {
  code: "task_failed",
  message: "The gateway stopped before the task had begun. It was not sent to any upstream.",
};
export const lost: TaskError = {
  code: "task_failed",
  message: "It is not known whether the upstream made the images. They are not charged.",
};

/** The vendor was called, and nobody knows what came of it. */
class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}

/** It was broken off while nothing was on its way to a vendor. */
class BrokenOff extends Error {
  override readonly name = "BrokenOff";
}

/** Never rejects for what goes wrong with the task itself: that is its end. */
export async function performImage(
  needs: PerformNeeds,
  work: TaskWork,
  abort: RunAbort,
): Promise<void> {
  await using held = new HeldTexts(needs.holding);
  const trace = openTrace(needs, work);
  const end = await carryOut(needs, work, { held, abort, trace });
  if (trace) tell(needs, work, trace, end);
  // The next process begins what this one has not.
  if (end.kind === "failed" && abort.isLeaving && isUnbegun(needs, work.task)) return;
  if (await conclude(needs, work.task, end)) return;
  // The process that ended it has told its owner something else.
  if (end.kind === "completed") await removeAll(needs.keeping, end.result.items);
}

function isUnbegun({ book }: PerformNeeds, task: Task): boolean {
  return book.latest(task).state === "queued";
}

interface Means {
  held: HeldTexts;
  abort: RunAbort;
  /** Null where nothing is traced. */
  trace: RequestTrace | null;
}

function openTrace({ tracer }: PerformNeeds, { task, order }: TaskWork): RequestTrace | null {
  const trace = tracer?.openTask(task) ?? null;
  if (trace) trace.names = namesOf(order.job);
  return trace;
}

/** The attempts: how the task itself ended is told with its record. */
function tell(
  { attempts: { clock }, tracer }: PerformNeeds,
  { task: { kind, model } }: TaskWork,
  trace: RequestTrace,
  end: End,
): void {
  const isDone = end.kind === "completed";
  const outcome = isDone
    ? { kind: "ok", errorCode: null }
    : { kind: "upstream_error", errorCode: end.error.code };
  const [endedAtMs, nowMs] = [clock.monotonicMs(), clock.nowMs()];
  tracer?.tried({ trace, route: kind, model, outcome, endedAtMs, nowMs });
}

async function carryOut(needs: PerformNeeds, work: TaskWork, means: Means): Promise<End> {
  try {
    const attempted = await attemptAll(needs, work, means);
    const { value: reply, channel, key } = attempted;
    try {
      const fetching = fetchRulesOf({ settings: channel.settings, key });
      return await keep(needs, work, { held: means.held, reply, fetching }, channel);
    } finally {
      attempted.release();
    }
  } catch (error) {
    const end = toEnd(needs.keeping, work.task, { error, abort: means.abort });
    const kind = error instanceof BrokenOff ? "unfit" : "failed";
    const endedAtMs = needs.attempts.clock.monotonicMs();
    if ("error" in end) means.trace?.failed(endedAtMs, { kind, error: end.error });
    return end;
  }
}

/** Channels with room come first; only when none of them did it is it worth waiting for others. */
async function attemptAll(
  needs: PerformNeeds,
  work: TaskWork,
  means: Means,
): Promise<ServedAttempt<ImageReply>> {
  const { candidates } = work.opened;
  const arrivedAtMs = needs.attempts.clock.monotonicMs();
  let left = candidates.channels;
  for (;;) {
    const free = left.filter((channel) => work.slots.hasRoom(channel));
    const channels = free.length > 0 ? free : left;
    const progress = newProgress(arrivedAtMs, means.trace);
    const outcomes: Attempt<ImageReply>["kind"][] = [];
    try {
      const within = { ...candidates, channels };
      return await attemptChannels(needs.attempts, within, progress, async (choice) => {
        const outcome = await attempt(needs, work, means, choice);
        outcomes.push(outcome.kind);
        return outcome;
      });
    } catch (error) {
      left = left.filter((channel) => !channels.includes(channel));
      const isOfChannels = error instanceof GatewayError && outcomes.at(-1) !== "refused";
      if (left.length === 0 || !isOfChannels) throw error;
    } finally {
      needs.book.noteFailed(work.task.id, progress);
    }
  }
}

async function keep(
  needs: PerformNeeds,
  work: TaskWork,
  came: VendorImages,
  channel: Channel,
): Promise<End> {
  const { order, opened, task } = work;
  const result = await keepAll(needs.keeping, { came, task, job: order.job });
  if (!result) return { kind: "lost", error: imageNotKept };
  const { usage: counted, items } = result;
  const charge = chargeImages(opened, { images: items.length, usage: counted });
  const { micros, usage, counts } = charge;
  if (charge.isCounted) judgeUsage(needs.doubts, channel, charge.isPlausible);
  return { kind: "completed", result, charge: { micros, usage, counts } };
}

async function attempt(
  needs: PerformNeeds,
  { task, order, slots, hops }: TaskWork,
  { held, abort: { signal }, trace }: Means,
  choice: Choice,
): Promise<Attempt<ImageReply>> {
  const release = await slots.take(choice.channel, signal);
  try {
    if (!release || signal.aborted) throw new BrokenOff();
    // On record before the vendor hears of it, and for this channel and key.
    const place = taskPlaceOf(choice, namesOf(order.job));
    if (!(await needs.book.change(task.id, { ...place, state: "in_progress" }))) {
      throw new BrokenOff();
    }
    // Somebody stopped it while that was written: no vendor has heard of it yet.
    if (signal.aborted) throw new BrokenOff();
    const { job, body } = order;
    const run = { job, original: body, choice, reference: task.id, held, signal, hops, trace };
    return { kind: "served", value: await runImage(needs.running, run) };
  } catch (error) {
    if (error instanceof BrokenOff) throw error;
    // A reference that only this channel wants as bytes could not be fetched.
    if (error instanceof GatewayError) return { kind: "unfit", error };
    const untaken = toUntaken(error, choice);
    if (untaken) return untaken;
    throw new OutcomeUnknown("the answer of the upstream was lost", { cause: error });
  } finally {
    release?.();
  }
}

interface Thrown {
  error: unknown;
  abort: RunAbort;
}

function toEnd({ log }: KeepNeeds, { id }: Task, { error, abort }: Thrown): End {
  if (error instanceof BrokenOff) {
    return { kind: "failed", error: abort.why ?? neverSent };
  }
  if (error instanceof OutcomeUnknown) {
    const fields = { task: id, error: describe(error.cause) };
    log.warn("an image task ended without an answer", fields);
    return { kind: "lost", error: lost };
  }
  const { shownCode, code, message, cause } = toGatewayError(error);
  if (code === "server_error") {
    log.error("an image task failed", { task: id, error: describe(cause ?? error) });
  }
  return { kind: "failed", error: { code: shownCode ?? code, message } };
}

const endTriesMax = 40;
const endPauseMs = 250;

/** False when it was ended otherwise. */
async function conclude(needs: PerformNeeds, task: Task, end: End): Promise<boolean> {
  const { book, keeping } = needs;
  const { timers, log } = keeping;
  for (let tries = 0; tries < endTriesMax; tries++) {
    if (await settle(book, task, end)) return true;
    await book.settled(task.id);
    if (isTerminal(book.latest(task).state)) return false;
    await sleep(timers, endPauseMs);
  }
  // Another node may have it by now.
  if (book.isOpen(task.id)) {
    log.error("the end of an image task could not be written", { task: task.id });
  }
  return false;
}

async function settle(book: TaskBook, { id }: Task, end: End): Promise<boolean> {
  if (end.kind === "failed") return await book.fail(id, end.error);
  if (end.kind === "lost") return await book.lose(id, end.error);
  const { result, charge } = end;
  const delivered = { seconds: null, tokens: result.usage?.totalTokens ?? null };
  return await book.complete(id, { result, delivered }, charge);
}
