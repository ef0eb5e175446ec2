// Tells callbacks that their task has ended: at least once, each try signed anew, ever less often
// for about a day. What is to be told is in the database, so a new process goes on with it.
import { sleep, type Clock, type Stop, type Timers } from "../../core/clock.ts";
import type { AccountId } from "../../core/ids.ts";
import { describe, type Log } from "../../core/log.ts";
import type { Random } from "../../core/random.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import {
  claimDelivery,
  readDue,
  readNextAttempt,
  saveAttempt,
  type DeliveryAttempt,
  type DueDelivery,
} from "./queries.ts";
import type { WebhookSecrets } from "./secrets.ts";
import { signedHeaders } from "./signature.ts";

/** Sends once, never to a private address; throws when no answer came. */
type Post = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<{ status: number }>;

interface WebhooksNeeds {
  database: Database;
  store: Store;
  clock: Clock;
  timers: Timers;
  random: Random;
  log: Log;
  post: Post;
  webhookSecrets: Pick<WebhookSecrets, "of">;
  /** False where other nodes may send as well: then each is claimed before it is sent. */
  isSole: boolean;
}

const tickMs = 250;
const lookMsMax = 60_000;
const restMs = 5000;
/** Longer than any try takes; what its sender did not write down is then sent by another. */
const claimedMs = 60_000;
const closeMsMax = 5000;
const dueMax = 500;
export const inFlightMax = 32;
/** A receiver that does not answer must not keep the others waiting. */
export const inFlightPerHostMax = 4;
const gone = 410;
const triesKept = 20;
const minute = 60_000;
const hour = 60 * minute;

/** After the first try. */
export const retryDelaysMs: readonly number[] = [
  5000,
  minute / 2,
  2 * minute,
  10 * minute,
  hour / 2,
  hour,
  3 * hour,
  6 * hour,
  10 * hour,
];

export class Webhooks {
  readonly #needs: WebhooksNeeds;
  readonly #stop: Stop;
  readonly #flights = new Map<string, { host: string; flight: Promise<void> }>();
  /** On the clock that never goes back. */
  #lookAtMs = 0;
  #isLooking = false;
  #isClosed = false;

  constructor(needs: WebhooksNeeds) {
    this.#needs = needs;
    this.#stop = needs.timers.every(tickMs, () => this.#tick());
  }

  /** There is something new to tell. */
  wake(): void {
    this.#lookAtMs = 0;
  }

  /** Let the deliveries under way arrive; one that does not is sent again by the next process. */
  async close(): Promise<void> {
    this.#stop();
    const flights = [...this.#flights.values()].map(({ flight }) => flight);
    await Promise.race([Promise.all(flights), sleep(this.#needs.timers, closeMsMax)]);
    this.#isClosed = true;
  }

  #tick(): void {
    if (this.#isLooking || this.#needs.clock.monotonicMs() < this.#lookAtMs) return;
    this.#isLooking = true;
    this.#lookAtMs = Infinity;
    this.#look()
      .catch((error: unknown) => {
        this.#lookIn(restMs);
        const fields = { error: describe(error) };
        this.#needs.log.error("callbacks that are due could not be read", fields);
      })
      .finally(() => {
        this.#isLooking = false;
      });
  }

  async #look(): Promise<void> {
    const { database, store, clock } = this.#needs;
    await store.applied();
    const nowMs = clock.nowMs();
    for (const delivery of await readDue(database, nowMs, dueMax)) this.#send(delivery);
    const nextMs = await readNextAttempt(database, nowMs);
    this.#lookIn(nextMs === null ? lookMsMax : nextMs - nowMs);
  }

  #lookIn(inMs: number): void {
    const atMs = this.#needs.clock.monotonicMs() + Math.min(inMs, lookMsMax);
    this.#lookAtMs = Math.min(this.#lookAtMs, atMs);
  }

  #send(delivery: DueDelivery): void {
    const host = URL.parse(delivery.url)?.host ?? "";
    if (this.#flights.has(delivery.id) || !this.#hasRoom(host)) return;
    const flight = this.#deliver(delivery)
      // Places that are free now are for those that found none before.
      .then(() => this.wake())
      .catch((error: unknown) => {
        // It is told a second time, which is better than never.
        this.#lookIn(restMs);
        const fields = { delivery: delivery.id, error: describe(error) };
        this.#needs.log.error("how a callback went could not be written down", fields);
      })
      .finally(() => this.#flights.delete(delivery.id));
    this.#flights.set(delivery.id, { host, flight });
  }

  #hasRoom(host: string): boolean {
    if (this.#flights.size >= inFlightMax) return false;
    const toHost = [...this.#flights.values()].filter((other) => other.host === host);
    return toHost.length < inFlightPerHostMax;
  }

  /** Once and at once, whatever comes of it. */
  async test(accountId: AccountId, url: string, call: TestCall): Promise<TestedCall> {
    const { headers, ...outcome } = await this.#call(accountId, { url, ...call });
    return { ...outcome, headers };
  }

  async #deliver({ id, url, body, attempts, account_id, tries }: DueDelivery): Promise<void> {
    const { database, clock, isSole } = this.#needs;
    const nowMs = clock.nowMs();
    const claim = { id, attempts, nowMs, untilMs: nowMs + claimedMs };
    if (!isSole && !(await claimDelivery(database, claim))) return;
    const { headers: _headers, ...outcome } = await this.#call(account_id, { id, url, body });
    if (this.#isClosed) return;
    const concluded = this.#conclude(attempts, outcome);
    const known: WebhookTry[] = JSON.parse(tries);
    const latest = JSON.stringify([...known, outcome].slice(-triesKept));
    await saveAttempt(database, { id, attempts }, { ...concluded, tries: latest });
  }

  async #call(
    accountId: AccountId,
    { id, url, body }: TestCall & { url: string },
  ): Promise<TestedCall> {
    const { clock, webhookSecrets } = this.#needs;
    const atMs = clock.nowMs();
    const startMs = clock.monotonicMs();
    const secrets = await webhookSecrets.of(accountId);
    const headers = signedHeaders({ id, atSeconds: Math.floor(atMs / 1000), body }, secrets);
    const { status, error } = await this.#try(url, headers, body);
    const tookMs = Math.round(clock.monotonicMs() - startMs);
    return { atMs, tookMs, status, error, headers };
  }

  async #try(url: string, headers: Record<string, string>, body: string): Promise<Outcome> {
    try {
      const { status } = await this.#needs.post(url, headers, body);
      return { status, error: null };
    } catch (error) {
      return { status: null, error: describe(error) };
    }
  }

  #conclude(attemptsBefore: number, { status, error }: Outcome): Omit<DeliveryAttempt, "tries"> {
    const { clock, random } = this.#needs;
    const nowMs = clock.nowMs();
    const attempts = attemptsBefore + 1;
    const isDelivered = status !== null && status >= 200 && status < 300;
    const tried = { attempts, status, error };
    if (isDelivered) return { ...tried, next_attempt_at_ms: null, delivered_at_ms: nowMs };
    const delayMs = status === gone ? undefined : retryDelaysMs[attemptsBefore];
    // Chance keeps those that failed together from coming back together.
    const next =
      delayMs === undefined ? null : nowMs + Math.round(delayMs * (0.9 + 0.2 * random.unit()));
    return { ...tried, next_attempt_at_ms: next, delivered_at_ms: null };
  }
}

interface TestCall {
  id: string;
  body: string;
}

/** One try. */
export interface WebhookTry extends Outcome {
  atMs: number;
  tookMs: number;
}

interface TestedCall extends WebhookTry {
  headers: Readonly<Record<string, string>>;
}

interface Outcome {
  /** Null when no answer came. */
  status: number | null;
  error: string | null;
}
