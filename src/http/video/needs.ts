// What the video routes work with.
import type { Assets } from "../../assets/assets.ts";
import type { CreateTaskNeeds } from "../../gateway/task/create-task.ts";
import type { TaskEvents } from "../../gateway/task/events.ts";
import type { CancelNeeds } from "../../gateway/video/cancel.ts";
import type { LinkTo } from "../../gateway/video/render.ts";
import type { SubmitVideoNeeds } from "../../gateway/video/submit.ts";
import type { VariantNeeds } from "../../gateway/video/variant.ts";
import type { VideoWorker } from "../../gateway/video/worker.ts";
import type { MediaStore } from "../../media/media.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import type { TaskBook } from "../../tasks/book.ts";
import type { TaskEngine } from "../../tasks/engine.ts";

export interface VideoRouteNeeds {
  creating: CreateVideoNeeds;
  reading: ReadVideoNeeds;
  content: VideoContentNeeds;
}

export interface CreateVideoNeeds {
  tasks: CreateTaskNeeds;
  assets: Pick<Assets, "resolve">;
  submitting: SubmitVideoNeeds;
  linkTo: LinkTo;
  bodyBytesMax: number;
}

export interface ReadVideoNeeds {
  book: TaskBook;
  engine: TaskEngine;
  events: TaskEvents;
  creates: CreateTaskNeeds["creates"];
  cancelling: CancelNeeds;
  database: Database;
  store: Store;
  linkTo: LinkTo;
  /** What clients that poll by themselves are told to wait. */
  pollAfterMs: number;
}

export interface VideoContentNeeds {
  book: TaskBook;
  media: MediaStore;
  worker: VideoWorker;
  variants: VariantNeeds;
}
