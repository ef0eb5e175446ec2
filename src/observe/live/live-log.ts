// Tells those who look on of every row of the usage log as its request ends. Nobody looks on most
// of the time, and then it costs a comparison.
import type { UsageFilter } from "../listing/queries.ts";
import type { UsageRow } from "../usage-row.ts";
import type { RowsElsewhere } from "./rows-elsewhere.ts";

interface Follower {
  filter: UsageFilter;
  push(row: UsageRow): void;
  /** Nothing more will come. */
  end(): void;
}

export class LiveLog {
  readonly #followers = new Set<Follower>();
  readonly #elsewhere: RowsElsewhere | null;

  /** Rows of other nodes come along where several write one log. */
  constructor(elsewhere: RowsElsewhere | null = null) {
    this.#elsewhere = elsewhere;
    elsewhere?.begin(this);
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  /** Resolves when nothing that is written from now on is overlooked. */
  async ready(): Promise<void> {
    await this.#elsewhere?.look(this);
  }

  tell(row: UsageRow): void {
    if (this.#followers.size === 0 || this.#elsewhere?.isNew(row) === false) return;
    for (const { filter, push } of this.#followers) if (passes(row, filter)) push(row);
  }

  /** Nobody looks on while the process ends. */
  close(): void {
    for (const follower of this.#followers) follower.end();
  }

  /** Returns how to stop. */
  follow(follower: Follower): () => void {
    if (!this.isFollowed) this.#elsewhere?.forget();
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }
}

/** End of what the row tells of; of a task that is its moment. */
export function endOf({ kind, at_ms, latency_ms }: UsageRow): number {
  return kind === "task" ? at_ms : at_ms + latency_ms;
}

/** Match a row like the log itself. */
export function passes(row: UsageRow, filter: UsageFilter): boolean {
  return isOf(row, filter) && isSuch(row, filter);
}

function isOf(row: UsageRow, filter: UsageFilter): boolean {
  const { accountId, keyIds, model, channelId, group, label, routes, requestId } = filter;
  if (accountId !== undefined && row.account_id !== accountId) return false;
  if (keyIds !== undefined && !keyIds.includes(row.key_id)) return false;
  if (model !== undefined && row.model !== model) return false;
  if (channelId !== undefined && row.channel_id !== channelId) return false;
  if (group !== undefined && row.group_name !== group) return false;
  if (label !== undefined && row.label !== label) return false;
  if (routes !== undefined && !routes.includes(row.route)) return false;
  return requestId === undefined || row.id === requestId || row.task_id === requestId;
}

function isSuch(row: UsageRow, filter: UsageFilter): boolean {
  const { status, outcome, isFailed, errorCode, isStream, fromMs, toMs } = filter;
  if (status !== undefined && row.status !== status) return false;
  if (outcome !== undefined && row.outcome !== outcome) return false;
  const hasFailed = row.outcome !== "ok" && row.outcome !== "client_abort";
  if (isFailed !== undefined && hasFailed !== isFailed) return false;
  if (errorCode !== undefined && row.error_code !== errorCode) return false;
  if (isStream !== undefined && (row.stream === 1) !== isStream) return false;
  if (fromMs !== undefined && row.at_ms < fromMs) return false;
  if (toMs !== undefined && row.at_ms >= toMs) return false;
  const { attemptsMin = 0, latencyMinMs = 0, microsMin = 0 } = filter;
  return row.attempts >= attemptsMin && row.latency_ms >= latencyMinMs && row.micros >= microsMin;
}
