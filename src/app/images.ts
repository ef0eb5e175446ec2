// The flows of images: those that are waited for, and those that are a task.
import type { Config } from "../config/config.ts";
import { sleep } from "../core/clock.ts";
import type { TaskId } from "../core/ids.ts";
import type { UsageDoubtNeeds } from "../distribution/doubts.ts";
import type { AttemptNeeds } from "../gateway/attempt.ts";
import type { ImageNeeds } from "../gateway/image/image-work.ts";
import type { SubmitImageNeeds } from "../gateway/image/submit-image.ts";
import { neverSent } from "../gateway/image/task/perform.ts";
import { renderImageTask } from "../gateway/image/task/render.ts";
import { resumeImage } from "../gateway/image/task/resume-image.ts";
import { stopImage } from "../gateway/image/task/stop-image.ts";
import { ImageRuns } from "../gateway/image/task/runs.ts";
import { ImageWorker } from "../gateway/image/task/worker.ts";
import type { ReadOn } from "../gateway/stream/read-on.ts";
import type { ReferenceNeeds } from "../gateway/video/needed-bytes.ts";
import type { ImageTaskRouteNeeds } from "../http/image/task.ts";
import type { ImageRouteNeeds } from "../http/images.ts";
import type { Media } from "../media/open-media.ts";
import type { Tracer } from "../observe/otlp/tracer.ts";
import { findTaskCharge, readTaskRequest } from "../tasks/queries.ts";
import type { Task } from "../tasks/task.ts";
import type { Tasks } from "./tasks.ts";
import type { Control } from "./control.ts";

export interface Images {
  awaited: ImageRouteNeeds;
  asTasks: ImageTaskRouteNeeds;
  /** Lets what runs come to its end, at most for so long; what waits is for the next process. */
  close(drainMs: number): Promise<void>;
}

interface ImagesNeeds {
  tasks: Tasks;
  attempts: AttemptNeeds;
  doubts: UsageDoubtNeeds;
  readOn: ReadOn;
  references: ReferenceNeeds;
  media: Media;
  /** Null where nothing is traced. */
  tracer: Tracer | null;
}

export function createImages(config: Config, control: Control, needs: ImagesNeeds): Images {
  const { tasks, media } = needs;
  const { book, engine, events, intents, kinds } = tasks;
  const serving = createServing(config, control, needs);
  const { attempts, opening, trying } = serving;
  const { running, holding } = trying;
  const runs = createRuns(config, control);
  const render = (task: Task) => renderImageTask(task, media.store);
  const { timers } = control.machine;
  const keeping = { media: media.store, timers, log: control.log };
  const { doubts, tracer } = needs;
  const performing = { attempts, doubts, running, holding, keeping, book, tracer };
  const { database, store } = control;
  // A row that was journalled a moment ago is not read before it is taken over.
  const readRow = (id: TaskId) => store.applied().then(() => readTaskRequest(database, id));
  const orders = { readRow, storage: media.requests };
  const submitting: SubmitImageNeeds = { intents, opening, performing, book, engine, runs, orders };
  const resume = (task: Task) => resumeImage(submitting, task);
  const stopping = { book, others: tasks.others, runs, orders };
  kinds.add("image", {
    worker: new ImageWorker(runs, control.clock, resume),
    render,
    stop: (task) => stopImage(stopping, task),
    forgot: (id) => runs.disown(id),
  });
  const { bodyBytesMax } = config.server;
  const creating = { tasks: tasks.creating, submitting, bodyBytesMax };
  const chargeOf = (id: TaskId) => store.applied().then(() => findTaskCharge(database, id));
  const awaiting = { holding, events, book, media: media.store, chargeOf };
  const pollAfterMs = config.tasks.pollFirstMs;
  return {
    awaited: { serving, once: { creating, awaiting }, bodyBytesMax },
    asTasks: { creating, book, media: media.store, pollAfterMs },
    async close(drainMs) {
      runs.stop(neverSent);
      await Promise.race([runs.drained(), sleep(timers, drainMs)]);
      await runs.close(neverSent);
    },
  };
}

function createRuns({ images }: Config, { log, machine: { timers } }: Control): ImageRuns {
  return new ImageRuns({
    timers,
    log,
    runsPerChannelMax: images.runsPerChannel,
    rules: images,
  });
}

function createServing(
  { images, media: rules }: Config,
  { channels, prices, balances, ledger, send, deadlines, random, machine }: Control,
  { attempts, doubts, readOn, references, media }: ImagesNeeds,
): ImageNeeds {
  const { store, fetch, spool } = media;
  const { clock } = machine;
  const { fetchTimeoutMs, fileBytesMax } = rules;
  return {
    clock,
    ledger,
    doubts,
    readOn,
    opening: { channels, prices, balances },
    attempts,
    trying: {
      running: {
        send,
        clock,
        deadlines,
        references,
        rules: images,
      },
      delivering: { media: store, fetch, fetchTimeoutMs, fileBytesMax },
      holding: { spool, random },
    },
  };
}
