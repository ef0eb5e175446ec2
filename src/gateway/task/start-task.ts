// Starts a task at a vendor that works on it while nobody waits: on the next channel where it was
// surely not taken, and never again where it may have been.
import { GatewayError, toGatewayError } from "../../core/errors.ts";
import { OutboundFailed } from "../../core/outbound.ts";
import type { Choice } from "../../distribution/choose.ts";
import type { TaskBook } from "../../tasks/book.ts";
import type { TaskEngine } from "../../tasks/engine.ts";
import type { Task, TaskProgress } from "../../tasks/task.ts";
import { VendorRefusal } from "../../upstreams/upstream.ts";
import { attemptChannels, type Attempt, type AttemptNeeds, type Candidates } from "../attempt.ts";
import type { Progress } from "../progress.ts";
import { teller } from "../conceal.ts";
import { toAttempt } from "../vendor-fault.ts";
import { taskPlaceOf, type Intent } from "./intent.ts";
import type { TaskPlaces } from "./places.ts";

export interface StartTaskNeeds {
  attempts: AttemptNeeds;
  book: TaskBook;
  engine: TaskEngine;
  places: TaskPlaces;
}

/** One way to try a channel, as `startOn` makes them. */
type TryStart = (choice: Choice) => Promise<Attempt<Task>>;

export async function startTask(
  needs: StartTaskNeeds,
  { id }: Intent,
  { candidates, tries }: { candidates: Candidates; tries: Progress },
  tryStart: TryStart,
): Promise<Task> {
  try {
    const attempted = await attemptChannels(needs.attempts, candidates, tries, tryStart);
    const { value: task } = attempted;
    needs.places.take(task.id, () => attempted.release());
    needs.engine.watch(task);
    return task;
  } catch (error) {
    const shown = toGatewayError(error);
    // The client is told now; there is no task to ask about.
    const { code, message } = shown;
    await needs.book.drop(id, { code, message });
    throw shown;
  }
}

/** The vendor's name for the job, and the result it told already. */
type StartedTask = Pick<TaskProgress, "operation"> & Partial<Pick<TaskProgress, "result">>;

export async function startOn(
  { book }: Pick<StartTaskNeeds, "book">,
  intent: Intent,
  choice: Choice,
  start: () => Promise<StartedTask>,
): Promise<Attempt<Task>> {
  const { id, draft } = intent;
  await intent.record(taskPlaceOf(choice, draft.names));
  try {
    await book.change(id, { state: "queued", ...(await start()) });
  } catch (error) {
    const attempt = toUntaken(error, choice);
    if (attempt) return attempt;
    await book.change(id, { state: "unknown" });
  }
  const task = await book.find(id);
  if (!task) throw new GatewayError("server_error");
  return { kind: "served", value: task };
}

/** Null when the vendor may have taken it all the same. */
export function toUntaken(
  error: unknown,
  { channel: { settings }, key }: Choice,
): Attempt<never> | null {
  if (error instanceof VendorRefusal) {
    return toAttempt(error.fault, teller({ settings, key }));
  }
  if (!(error instanceof OutboundFailed && error.isUnsent)) return null;
  const failure = new GatewayError("do_request_failed", { cause: error });
  return { kind: "failed", blame: "channel", error: failure };
}
