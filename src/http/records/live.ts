// The usage log as it happens: a row for each request that ends, as server-sent events.
import { assertAskable, shown } from "../../admin/hidden.ts";
import { LogView, logFilter, ownLogFilter } from "../../admin/log/contract.ts";
import { toFilter, toOwnFilter } from "../../admin/log/filter.ts";
import { toView, toViews } from "../../admin/log/view.ts";
import { parseQuery } from "../../admin/parse-query.ts";
import { awaitLog, type RecordNeeds } from "../../admin/record-needs.ts";
import type { Deadlines } from "../../core/deadline.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import { text } from "../../core/schema-words.ts";
import type { Answer } from "../../gateway/answer.ts";
import { LiveSource } from "../../gateway/stream/live-source.ts";
import type { Operator } from "../../identity/caller.ts";
import { endOf, type LiveLog } from "../../observe/live/live-log.ts";
import { readUsageRows } from "../../observe/listing/read-usage.ts";
import type { UsageFilter } from "../../observe/listing/queries.ts";
import type { UsageRow } from "../../observe/usage-row.ts";
import { holders } from "../../identity/role.ts";
import { inScope, route } from "../control-route.ts";
import type { ControlRoute, Incoming } from "../route.ts";

export interface LiveNeeds {
  records: RecordNeeds;
  live: LiveLog;
  deadlines: Deadlines;
}

/** A browser has six connections to a host, for all its tabs. */
const streamsPerPersonMax = 4;
/** Then it comes again. */
const streamMs = 600_000;
/**
 * Rows that are told again at most, and the longest time before its end that a request may have
 * begun.
 */
const missedRowsMax = 1000;
const lookBackMs = 3_600_000;

export function liveRoutes(needs: LiveNeeds): ControlRoute[] {
  const counts = new Map<AccountId, number>();
  const description = "Each event is a row of the usage log; its id is the cursor to go on from.";
  const answer = { type: "text/event-stream", description };
  const cursor = {
    schema: text(),
    description: "The id of the last event that was seen; `last-event-id` says the same.",
    read: parseSince,
  };
  const permission = "usage.read";
  const [query, ownQuery] = [
    { ...logFilter, cursor },
    { ...ownLogFilter, cursor },
  ];
  return [
    route(
      {
        method: "GET",
        path: "/api/live",
        permission,
        entry: {
          tag: "Records",
          summary: "Follow the usage log",
          query,
          answer,
        },
      },
      async (incoming, operator) => {
        const parsed = parseQuery(query, incoming.query);
        const filter = await toFilter(needs.records, parsed);
        const since = parsed.cursor ?? readSince(incoming);
        assertAskable({ permission, query, answer: LogView }, operator, incoming.query);
        const show = async (rows: UsageRow[]) =>
          (await toViews(needs.records, rows)).map((view) =>
            shown({ permission, answer: LogView }, operator, view),
          );
        return open(needs, { operator, filter, since, show, counts });
      },
    ),
    inScope(
      route(
        {
          method: "GET",
          path: "/api/live/self",
          entry: {
            tag: "Records",
            summary: "Follow one's usage log",
            query: ownQuery,
            answer,
          },
        },
        async (incoming, operator) => {
          const parsed = parseQuery(ownQuery, incoming.query);
          const filter = await toOwnFilter(needs.records, operator, parsed);
          const since = parsed.cursor ?? readSince(incoming);
          const show = async (rows: UsageRow[]) => rows.map(toView);
          return open(needs, { operator, filter, since, show, counts });
        },
      ),
      holders,
    ),
  ];
}

interface Opening {
  operator: Operator;
  filter: UsageFilter;
  since: Since | null;
  show: ConstructorParameters<typeof LiveSource>[0]["show"];
  counts: Map<AccountId, number>;
}

function open({ records, live, deadlines }: LiveNeeds, opening: Opening): Answer {
  const { operator, filter, since, show, counts } = opening;
  const { accountId } = operator;
  const count = counts.get(accountId) ?? 0;
  if (count >= streamsPerPersonMax) {
    const message = `A person may follow the log ${streamsPerPersonMax} times at once.`;
    throw new GatewayError("rate_limit_exceeded", { message, retryAfterSeconds: 5 });
  }
  counts.set(accountId, count + 1);
  const source = new LiveSource({
    async missed() {
      await live.ready();
      return since === null ? [] : await readMissed(records, filter, since);
    },
    show,
    ended() {
      stop();
      limit.end();
      const left = (counts.get(accountId) ?? 1) - 1;
      if (left > 0) counts.set(accountId, left);
      else counts.delete(accountId);
    },
  });
  const stop = live.follow({ filter, push: source.push, end: () => source.interrupt() });
  const limit = deadlines.watch(streamMs, () => source.interrupt());
  return { status: 200, contentType: "text/event-stream", body: source };
}

interface Since {
  endedAtMs: number;
  id: string;
}

function readSince({ headers }: Incoming): Since | null {
  const cursor = headers.get("last-event-id");
  return cursor ? parseSince(cursor) : null;
}

function parseSince(cursor: string): Since {
  const [, endedAtMs, id] = /^(\d{1,15})-([\w-]{1,80})$/.exec(cursor) ?? [];
  if (endedAtMs === undefined || id === undefined) {
    throw invalid("cursor", "must be the id of an event of this stream");
  }
  return { endedAtMs: Number(endedAtMs), id };
}

/**
 * Calls that ended since, oldest first. One of the same moment may come twice, but none is left
 * out.
 */
async function readMissed(
  records: RecordNeeds,
  filter: UsageFilter,
  { endedAtMs, id }: Since,
): Promise<UsageRow[]> {
  await awaitLog(records);
  const fromMs = Math.max(endedAtMs - lookBackMs, filter.fromMs ?? 0);
  const page = { limit: missedRowsMax, offset: 0 };
  const { rows } = await readUsageRows(records.store, { ...filter, fromMs }, page);
  return rows
    .filter((row) => endOf(row) >= endedAtMs && row.id !== id)
    .toSorted((one, other) => endOf(one) - endOf(other));
}
