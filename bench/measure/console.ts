// The console's first views with a million rows behind them: how long each of its routes takes to
// come, over HTTP, for an operator and for somebody with a third of the rows.
import type { LogTarget } from "../targets/log-gateway.ts";
import { percentile } from "./statistics.ts";

interface RouteTiming {
  readonly route: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

export type ConsoleTimings = readonly RouteTiming[];

const warmUps = 3;
const requests = 40;
const daySeconds = 86_400;

export async function measureConsole(target: LogTarget): Promise<ConsoleTimings> {
  console.error("routes of the console");
  const timings: RouteTiming[] = [];
  for (const path of operatorPaths(target)) {
    timings.push(await timeRoute(target.origin, path, target.rootToken));
  }
  for (const path of memberPaths(target)) {
    timings.push(await timeRoute(target.origin, path, target.own.token));
  }
  return timings;
}

function operatorPaths({ from, to }: LogTarget): string[] {
  return [
    ...seriesPaths("/api/series", { from, to }, ["model", "channel", "account", "key", "format"]),
    ...logPaths("/api/log"),
    "/api/ledger?page_size=50",
    "/api/ledger?account=bench&page_size=50",
    "/api/health/models?days=30",
    ...["channel", "token", "user", "price", "group", "model", "task", "audit"].map(
      (name) => `/api/${name}?page_size=50`,
    ),
    "/api/hold",
    "/api/status",
    "/api/setting",
  ];
}

function memberPaths({ from, to }: LogTarget): string[] {
  return [
    ...seriesPaths("/api/series/self", { from, to }, ["model", "key"]),
    ...logPaths("/api/log/self"),
    "/api/ledger/self?page_size=50",
    "/api/user/self/balance",
    "/api/task/self?page_size=50",
    "/api/token?page_size=50",
  ];
}

interface Days {
  readonly from: string;
  readonly to: string;
}

/** A day by quarters of an hour, a month by days here and elsewhere; alone and by each of these. */
function seriesPaths(route: string, days: Days, by: readonly string[]): string[] {
  const to = Date.parse(days.to) / 1000;
  const from = Date.parse(days.from) / 1000;
  const day = `${route}?from=${to - daySeconds}&to=${to}&step=900&tz=0`;
  const month = `${route}?from=${from}&to=${to}&step=${daySeconds}&tz=0`;
  const elsewhere = month.replace("tz=0", "tz=480");
  return [day, month, elsewhere].flatMap((path) => [
    path,
    ...by.map((name) => `${path}&by=${name}`),
  ]);
}

function logPaths(route: string): string[] {
  return [`${route}?page_size=50`, `${route}?failed=true&page_size=8`];
}

async function timeRoute(origin: string, path: string, credential: string): Promise<RouteTiming> {
  const headers = { authorization: `Bearer ${credential}` };
  const times: number[] = [];
  for (let at = 0; at < warmUps + requests; at++) {
    const startMs = performance.now();
    const response = await fetch(origin + path, { headers });
    const { success, message } = (await response.json()) as { success: boolean; message?: string };
    if (!success) throw new Error(`${path}: ${message}`);
    if (at >= warmUps) times.push(performance.now() - startMs);
  }
  const ascending = times.toSorted((one, other) => one - other);
  const route = path.replaceAll(/(from|to|account)=[^&]+/g, "$1=…");
  return { route, p50Ms: percentile(ascending, 0.5), p95Ms: percentile(ascending, 0.95) };
}
