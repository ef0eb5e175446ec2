// What the video routes work with.
import type { TaskEvents } from "../../gateway/video/events.ts";
import type { Creates } from "../../gateway/video/idempotency.ts";
import type { LinkTo } from "../../gateway/video/render.ts";
import type { SubmitParts } from "../../gateway/video/submit.ts";
import type { VideoWorker } from "../../gateway/video/worker.ts";
import type { MediaStore } from "../../media/media.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";

export interface VideoParts extends SubmitParts {
  database: Database;
  store: Store;
  media: MediaStore;
  worker: VideoWorker;
  creates: Creates;
  events: TaskEvents;
  linkTo: LinkTo;
  /** The URL as it would be called, or null when that is out of the question. */
  acceptsUrl(url: string): string | null;
  bodyBytesMax: number;
  /** What clients that poll by themselves are told to wait. */
  pollAfterMs: number;
}
