// Tells what is due: each destination by itself, so that one that hangs keeps nobody else waiting.
import type { Clock, Timers } from "../core/clock.ts";
import { sleep } from "../core/clock.ts";
import type { AccountId } from "../core/ids.ts";
import { describe, type Log } from "../core/log.ts";
import { claimedMs, closeMsMax, resendDelaysMs } from "../mail/retries.ts";
import type { Database } from "../store/database.ts";
import { ownDestination, type Notice } from "./notice.ts";
import { claimNotice, readDueNotices, saveNoticeTry } from "./queries.ts";
import { isQuiet, type QuietTime } from "./quiet.ts";

/** One way to tell somebody. */
export interface Way {
  /** Most notices in one message. */
  readonly batchMax: number;
  /** Throws when it did not arrive. */
  send(notices: readonly Notice[]): Promise<void>;
}

interface NoticeSenderNeeds {
  database: Database;
  clock: Clock;
  timers: Timers;
  log: Log;
  rules: { readonly quiet: (QuietTime & { readonly except: readonly string[] }) | null };
  /** Ways by the names of destinations. */
  ways: Pick<ReadonlyMap<string, Way>, "get" | "has">;
  /** To an account's own address. */
  ownWay(accountId: AccountId, url: string): Way;
}

type Due = Awaited<ReturnType<typeof readDueNotices>>[number];

const dueMax = 500;

export class NoticeSender {
  readonly #needs: NoticeSenderNeeds;
  readonly #flights = new Map<string, Promise<void>>();

  constructor(needs: NoticeSenderNeeds) {
    this.#needs = needs;
  }

  /** Begins to send; does not wait for anybody to answer. */
  async sendDue(): Promise<void> {
    const { database, clock, rules } = this.#needs;
    const { quiet } = rules;
    const nowMs = clock.nowMs();
    const except = quiet && isQuiet(quiet, nowMs) ? quiet.except : null;
    const due = await readDueNotices(database, { nowMs, except, most: dueMax });
    const placeOf = (one: Due) =>
      one.destination === ownDestination ? `of ${one.account_id}` : `to ${one.destination}`;
    for (const [place, list] of Map.groupBy(due, placeOf)) this.#begin(place, list);
  }

  /** Once and at once, whatever the time of day; throws when it did not arrive. */
  async test(destination: string, notice: Notice): Promise<void> {
    await this.#needs.ways.get(destination)?.send([notice]);
  }

  hasWay(destination: string): boolean {
    return this.#needs.ways.has(destination);
  }

  /**
   * Messages on their way may still arrive; those that do not are sent again by the next process.
   */
  async close(): Promise<void> {
    const flights = Promise.all(this.#flights.values());
    await Promise.race([flights, sleep(this.#needs.timers, closeMsMax)]);
  }

  #begin(place: string, due: readonly Due[]): void {
    if (this.#flights.has(place)) return;
    const flight = this.#sendAll(due)
      .catch((error: unknown) =>
        this.#needs.log.error("how a notice went could not be written down", {
          error: describe(error),
        }),
      )
      .finally(() => this.#flights.delete(place));
    this.#flights.set(place, flight);
  }

  async #sendAll(due: readonly Due[]): Promise<void> {
    const [first] = due;
    if (!first) return;
    const way = this.#wayTo(first);
    const size = way?.batchMax ?? due.length;
    for (let at = 0; at < due.length; at += size) await this.#send(way, due.slice(at, at + size));
  }

  #wayTo({ destination, account_id: accountId, notice_url: url }: Due): Way | null {
    const { ways, ownWay } = this.#needs;
    if (destination !== ownDestination) return ways.get(destination) ?? null;
    return accountId === null || url === null ? null : ownWay(accountId, url);
  }

  async #send(way: Way | null, due: readonly Due[]): Promise<void> {
    const { database, clock } = this.#needs;
    const untilMs = clock.nowMs() + claimedMs;
    const claimed: Due[] = [];
    for (const one of due) {
      const { id: notice_id, destination, attempts } = one;
      if (await claimNotice(database, { notice_id, destination, attempts }, untilMs)) {
        claimed.push(one);
      }
    }
    if (claimed.length === 0) return;
    const error = await this.#try(way, claimed.map(toNotice));
    for (const one of claimed) await this.#conclude(one, way === null, error);
  }

  async #try(way: Way | null, notices: readonly Notice[]): Promise<string | null> {
    if (way === null) return "there is no such destination any more";
    try {
      await way.send(notices);
      return null;
    } catch (error) {
      return describe(error);
    }
  }

  async #conclude(one: Due, isLast: boolean, error: string | null): Promise<void> {
    const { database, clock, log } = this.#needs;
    const { id: notice_id, destination, attempts } = one;
    const nowMs = clock.nowMs();
    const delayMs = isLast || error === null ? undefined : resendDelaysMs[attempts];
    await saveNoticeTry(
      database,
      { notice_id, destination, attempts: attempts + 1 },
      {
        next_attempt_at_ms: delayMs === undefined ? null : nowMs + delayMs,
        delivered_at_ms: error === null ? nowMs : null,
        error,
      },
    );
    if (error !== null) log.warn("a notice did not arrive", { destination, error });
  }
}

function toNotice({ id, kind, text, details, at_ms: atMs }: Due): Notice {
  return { id, kind: kind as Notice["kind"], text, details: JSON.parse(details), atMs };
}
