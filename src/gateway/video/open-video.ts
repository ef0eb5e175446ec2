// Puts the parts of videos together, as configured.
import type { Config } from "../../config/config.ts";
import type { Timers } from "../../core/clock.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Log } from "../../core/log.ts";
import type { Random } from "../../core/random.ts";
import type { Seal } from "../../core/seal.ts";
import { readSettingsOf } from "../../distribution/queries.ts";
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
import { TaskEvents } from "./events.ts";
import { Creates } from "./idempotency.ts";
import { TaskPlaces } from "./places.ts";
import { renderVideo, type LinkTo } from "./render.ts";
import type { SubmitParts } from "./submit.ts";
import type { VendorParts } from "./vendor-call.ts";
import { VideoWorker } from "./worker.ts";

type Given = AttemptParts &
  Omit<VendorParts, "readRetired" | "vendorCallMs"> &
  Pick<SubmitParts, "ids" | "prices" | "balances">;

export interface VideoNeeds extends Given {
  config: Pick<Config, "tasks">;
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

export type Video = ReturnType<typeof openVideo>;

export function openVideo(needs: VideoNeeds) {
  const { store, database, ledger, balances, clock, timers, random, log, media, seal } = needs;
  const { tasks } = needs.config;
  const linkTo: LinkTo = ({ result }) =>
    result?.kind === "kept" ? media.store.link(result.mediaId) : null;
  const render = (task: Task) => renderVideo(task, linkTo);
  const places = new TaskPlaces();
  const webhooks = new Webhooks({
    ...needs,
    secretOf: needs.webhookSecretOf,
    post: async (url, headers, body) => ({
      status: await media.fetch.post(url, { headers, body, timeoutMs: postMsMax }),
    }),
  });
  const book = new TaskBook({
    ledger,
    balances,
    database,
    store,
    clock,
    log,
    render,
    changed(task) {
      places.changed(task);
      events.changed(task);
      if (isTerminal(task.state) && task.webhookUrl !== null) webhooks.wake();
    },
  });
  const events = new TaskEvents({ book, render });
  const creates = new Creates({ database, store, book, clock });
  const vendors: VendorParts = {
    ...needs,
    readRetired: (id) => readSettingsOf(database, seal, id),
    vendorCallMs: tasks.callMs,
  };
  const worker = new VideoWorker({
    ...vendors,
    log,
    keeper: media.store,
    pollsPerChannelMax: tasks.pollsPerChannel,
  });
  const pace = { firstMs: tasks.pollFirstMs, growth: pollGrowth, mostMs: tasks.pollMostMs };
  const engine = new TaskEngine({ book, worker, clock, timers, random, log, pace });
  return {
    ...needs,
    ...vendors,
    media: media.store,
    acceptsUrl: (url: string) => media.fetch.accepts(url),
    linkTo,
    book,
    engine,
    worker,
    places,
    events,
    creates,
    webhooks,
    taskDeadlineMs: tasks.deadlineMs,
    pollAfterMs: tasks.pollFirstMs,
    /** Takes up what the last process left; returns how many tasks that are. */
    async resume(): Promise<number> {
      const resumed = await engine.resume();
      places.adopt(resumed, needs.channels);
      return resumed.length;
    },
    /** Lets go of what nobody asks for any more. */
    async expire(): Promise<void> {
      await creates.expire();
      await deleteDeliveries(database, clock.nowMs() - deliveryDays * dayMs);
    },
    /** Ends no task. */
    async close(): Promise<void> {
      engine.close();
      await webhooks.close();
    },
  };
}
