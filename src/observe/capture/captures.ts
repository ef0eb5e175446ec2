// The contents of the few requests that somebody wants to see: redacted, sealed, and gone after a
// day. Nobody wants any most of the time, and then a request meets one branch.
import type { Clock } from "../../core/clock.ts";
import { dayMs } from "../../core/day.ts";
import type { AccountId, ChannelId, KeyId } from "../../core/ids.ts";
import { describe, type Log } from "../../core/log.ts";
import type { Seal } from "../../core/seal.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import type { Redactor } from "../content/redact.ts";
import type { CapturedContent, CaptureOrder } from "./order.ts";
import { forgetCaptured, insertCaptured, readCaptures, type CaptureRow } from "./queries.ts";
import { toKept } from "./kept.ts";

interface CapturesNeeds {
  clock: Clock;
  store: Store;
  database: Database;
  seal: Seal;
  log: Log;
  redact: Redactor;
  /** Limit of each text. */
  charactersMax: number;
}

interface Asking {
  accountId: AccountId;
  keyId: KeyId;
}

interface Finished {
  order: CaptureOrder;
  requestId: string;
  accountId: AccountId;
  /** Every channel that it was tried on. */
  channelIds: readonly ChannelId[];
  content: CapturedContent;
}

/** Time for which contents can be read. */
export const keptMs = dayMs;

export class Captures {
  readonly #needs: CapturesNeeds;
  #orders: { order: CaptureOrder; left: number }[] = [];

  constructor(needs: CapturesNeeds) {
    this.#needs = needs;
  }

  get isOn(): boolean {
    return this.#orders.length > 0;
  }

  /** Brings memory up to the database. */
  async reload(): Promise<void> {
    const rows = await readCaptures(this.#needs.database);
    this.#orders = rows.map((row) => ({ order: toOrder(row), left: leftOf(row) }));
    this.#drop();
  }

  /** Order that wants this request; null for nearly all. */
  find({ accountId, keyId }: Asking, model: string): CaptureOrder | null {
    this.#drop();
    const entry = this.#orders.find(
      ({ order }) =>
        (order.accountId === null || order.accountId === accountId) &&
        (order.keyId === null || order.keyId === keyId) &&
        (order.model === null || order.model === model),
    );
    return entry?.order ?? null;
  }

  /** Keeps it, unless it went elsewhere or there are enough. Nothing waits for it. */
  keep({ order, requestId, accountId, channelIds, content }: Finished): void {
    const entry = this.#orders.find((one) => one.order.id === order.id);
    if (!entry || entry.left === 0) return;
    if (order.channelId !== null && !channelIds.includes(order.channelId)) return;
    entry.left--;
    const { clock, store, database, seal, log, redact, charactersMax } = this.#needs;
    const kept = JSON.stringify(toKept(content, redact, charactersMax));
    const row = {
      request_id: requestId,
      capture_id: order.id,
      account_id: accountId,
      at_ms: clock.nowMs(),
      sealed: seal.close(kept, requestId),
    };
    insertCaptured(store, database, row).catch((error: unknown) =>
      log.warn("a request's content could not be kept", { error: describe(error) }),
    );
    this.#drop();
  }

  async expire(): Promise<void> {
    const { clock, store, database } = this.#needs;
    await forgetCaptured(store, database, clock.nowMs() - keptMs);
  }

  #drop(): void {
    const nowMs = this.#needs.clock.nowMs();
    const isOver = ({ order, left }: { order: CaptureOrder; left: number }) =>
      left === 0 || order.untilMs <= nowMs;
    if (this.#orders.some(isOver)) this.#orders = this.#orders.filter((one) => !isOver(one));
  }
}

function leftOf({ requests_max, taken }: CaptureRow): number {
  return Math.max(0, requests_max - taken);
}

function toOrder(row: CaptureRow): CaptureOrder {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    model: row.model,
    channelId: row.channel_id,
    requestsMax: row.requests_max,
    untilMs: row.until_ms,
  };
}
