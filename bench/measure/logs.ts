// A long usage log: how long its pages and a month of usage take to come, over HTTP.
import { modelOf, startLogGateway, type LogTarget } from "../targets/log-gateway.ts";
import { measureConsole, type ConsoleTimings } from "./console.ts";
import { percentile } from "./statistics.ts";

export const logQueries = [
  "first page, all accounts",
  "first page, own",
  "page in the middle, own, by cursor",
  "page of one model that failed, all accounts",
  "page of one model, own",
  "page of a model that nobody asked for, all accounts",
  "month of usage by day and model, own",
  "month of usage by day and model, all accounts",
  "month of usage by account",
  "month of daily costs, own, with a key",
] as const;
export type LogQuery = (typeof logQueries)[number];

interface Timing {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Rows, sums or days in the answer. */
  readonly items: number;
}

export interface Logs {
  readonly rows: number;
  readonly fillSeconds: number;
  readonly timings: Readonly<Record<LogQuery, Timing>>;
  readonly console: ConsoleTimings;
}

interface Ask {
  readonly path: string;
  readonly credential: string;
}

const warmUps = 5;
const requests = 60;

export async function measureLogs(rows: number, folder: string): Promise<Logs> {
  console.error(`${rows} rows of the usage log`);
  const target = await startLogGateway(rows, folder);
  const timings: Partial<Record<LogQuery, Timing>> = {};
  for (const name of logQueries) timings[name] = await time(target, asksOf(target)[name]);
  return {
    rows,
    fillSeconds: target.fillSeconds,
    timings: timings as Record<LogQuery, Timing>,
    console: await measureConsole(target),
  };
}

function asksOf({ own, rootToken, from, to }: LogTarget): Record<LogQuery, Ask> {
  const all = (path: string): Ask => ({ path, credential: rootToken });
  const self = (path: string): Ask => ({ path, credential: own.token });
  const middle = (Date.parse(from) + Date.parse(to)) / 2;
  const month = `from=${from}&to=${to}`;
  const days = `start_date=${from}&end_date=${to}`;
  const model = modelOf(3);
  return {
    "first page, all accounts": all("/api/log"),
    "first page, own": self("/api/log/self"),
    "page in the middle, own, by cursor": self(`/api/log/self?cursor=${middle}-1`),
    "page of one model that failed, all accounts": all(`/api/log?model=${model}&status=500`),
    "page of one model, own": self(`/api/log/self?model=${model}`),
    "page of a model that nobody asked for, all accounts": all("/api/log?model=none"),
    "month of usage by day and model, own": self(`/api/usage/self?${month}`),
    "month of usage by day and model, all accounts": all(`/api/usage?${month}`),
    "month of usage by account": all(`/api/usage?${month}&by=account`),
    "month of daily costs, own, with a key": {
      path: `/dashboard/billing/usage?${days}`,
      credential: own.key,
    },
  };
}

async function time({ origin }: LogTarget, { path, credential }: Ask): Promise<Timing> {
  const times: number[] = [];
  let items = 0;
  for (let at = 0; at < warmUps + requests; at++) {
    const startMs = performance.now();
    const headers = { authorization: `Bearer ${credential}` };
    const response = await fetch(origin + path, { headers });
    const body = (await response.json()) as Answer;
    if (at >= warmUps) times.push(performance.now() - startMs);
    items = countItems(path, body);
  }
  const ascending = times.toSorted((one, other) => one - other);
  return { p50Ms: percentile(ascending, 0.5), p99Ms: percentile(ascending, 0.99), items };
}

interface Answer {
  readonly data?: { readonly items: readonly unknown[] };
  readonly daily_costs?: readonly unknown[];
}

/** An answer without what was asked for is fast for the wrong reason. */
function countItems(path: string, { data, daily_costs: days }: Answer): number {
  const found = data?.items ?? days;
  if (!found) throw new Error(`${path} did not answer with a list`);
  if (found.length === 0 && !path.endsWith("=none")) throw new Error(`${path} found nothing`);
  return found.length;
}
