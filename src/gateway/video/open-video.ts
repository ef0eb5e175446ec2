// Puts the parts of videos together, as configured.
import type { Config } from "../../config/config.ts";
import type { Timers } from "../../core/clock.ts";
import type { AccountId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Log } from "../../core/log.ts";
import type { Random } from "../../core/random.ts";
import type { Seal } from "../../core/seal.ts";
import { readSettingsOf } from "../../distribution/queries.ts";
import type { MediaStore } from "../../media/media.ts";
import type { Media } from "../../media/open-media.ts";
import type { Ledger } from "../../quota/ledger.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { TaskBook } from "../../tasks/book.ts";
import { TaskEngine } from "../../tasks/engine.ts";
import { isTerminal, type Task } from "../../tasks/task.ts";
import { deleteDeliveries } from "../../tasks/webhooks/queries.ts";
import { Webhooks } from "../../tasks/webhooks/webhooks.ts";
import type { AttemptParts } from "../attempt.ts";
import { TaskEvents } from "../task/events.ts";
import { Creates } from "../task/idempotency.ts";
import { TaskPlaces } from "../task/places.ts";
import { renderVideo, type LinkTo } from "./render.ts";
import type { SubmitParts } from "./submit.ts";
import type { VendorParts } from "../task/vendor-call.ts";
import { VideoWorker } from "./worker.ts";

type Given = AttemptParts &
  Omit<VendorParts, "readRetired" | "vendorCallMs"> &
  Pick<SubmitParts, "ids" | "prices" | "balances">;

export interface VideoNeeds extends Given {
  config: Pick<Config, "tasks" | "media">;
  store: Store;
  database: Database;
  ledger: Ledger;
  seal: Seal;
  timers: Timers;
  random: Random;
  log: Log;
  media: Media;
  webhookSecretOf(accountId: AccountId): string;
}

/** A vendor is asked half as often again each time. */
const pollGrowth = 1.5;
const postMsMax = 15_000;
const dayMs = 86_400_000;
const deliveryDays = 30;

export interface Video {
  parts: SubmitParts & VideoTools;
  /** Takes up what the last process left; returns how many tasks that are. */
  resume(): Promise<number>;
  /** Lets go of what nobody asks for any more. */
  expire(): Promise<void>;
  /** Ends no task. */
  close(): Promise<void>;
}

export interface VideoTools {
  worker: VideoWorker;
  creates: Creates;
  events: TaskEvents;
  media: MediaStore;
  linkTo: LinkTo;
  /** The URL as it would be called, or null when that is out of the question. */
  acceptsUrl(url: string): string | null;
  /** What clients that poll by themselves are told to wait. */
  pollAfterMs: number;
}

export function openVideo(needs: VideoNeeds): Video {
  const { database, clock, media, channels } = needs;
  const { tasks } = needs.config;
  const linkTo: LinkTo = ({ result }) =>
    result?.kind === "kept" ? media.store.link(result.mediaId) : null;
  const { book, places, events, webhooks } = openBook(needs, (task) => renderVideo(task, linkTo));
  const creates = new Creates({ ...needs, book });
  const vendors: VendorParts = {
    ...needs,
    readRetired: (id) => readSettingsOf(database, needs.seal, id),
    vendorCallMs: tasks.callMs,
  };
  const { worker, engine } = openEngine(needs, vendors, book);
  return {
    parts: {
      ...needs,
      ...vendors,
      book,
      engine,
      places,
      worker,
      creates,
      events,
      linkTo,
      media: media.store,
      acceptsUrl: (url) => media.fetch.accepts(url),
      needs: { fetch: media.fetch, fetchTimeoutMs: needs.config.media.fetchTimeoutMs },
      taskDeadlineMs: tasks.deadlineMs,
      pollAfterMs: tasks.pollFirstMs,
    },
    async resume() {
      const resumed = await engine.resume();
      // Some may have ended while the others were taken up.
      const open = resumed.filter(({ id }) => book.isOpen(id));
      places.adopt(open, channels);
      return resumed.length;
    },
    async expire() {
      await creates.expire();
      await deleteDeliveries(database, clock.nowMs() - deliveryDays * dayMs);
    },
    async close() {
      engine.close();
      await webhooks.close();
    },
  };
}

/** The book, and all who are told of its changes. */
function openBook(needs: VideoNeeds, render: (task: Task) => JsonObject) {
  const { fetch } = needs.media;
  const places = new TaskPlaces();
  const webhooks = new Webhooks({
    ...needs,
    secretOf: needs.webhookSecretOf,
    post: async (url, headers, body) => ({
      status: await fetch.post(url, { headers, body, timeoutMs: postMsMax }),
    }),
  });
  const book = new TaskBook({
    ...needs,
    render,
    changed(task) {
      places.changed(task);
      events.changed(task);
      if (isTerminal(task.state) && task.webhookUrl !== null) webhooks.wake();
    },
  });
  const events = new TaskEvents({ book, render });
  return { book, places, events, webhooks };
}

function openEngine(needs: VideoNeeds, vendors: VendorParts, book: TaskBook) {
  const { log, media } = needs;
  const { pollFirstMs, pollMostMs, pollsPerChannel } = needs.config.tasks;
  const keeper = media.store;
  const worker = new VideoWorker({ ...vendors, log, keeper, pollsPerChannelMax: pollsPerChannel });
  const pace = { firstMs: pollFirstMs, growth: pollGrowth, mostMs: pollMostMs };
  return { worker, engine: new TaskEngine({ ...needs, book, worker, pace }) };
}
