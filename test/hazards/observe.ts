// A test's view from outside: balances, the usage log, files, memory, a stream's text.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Gateway } from "../harness/gateway.ts";
import { isOnPostgres, tablesWith } from "../harness/postgres.ts";

export interface Balance {
  quota_micros: number;
  held_micros: number;
  used_micros: number;
}

const patienceMs = 30_000;
const pauseMs = 20;

/** Asks until the answer will do; throws the last one when it never does. */
export async function eventually<Value>(
  ask: () => Promise<Value>,
  willDo: (value: Value) => boolean,
): Promise<Value> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    const value = await ask();
    if (willDo(value)) return value;
    if (performance.now() > endMs) throw new Error(`still ${JSON.stringify(value)}`);
    await Bun.sleep(pauseMs);
  }
}

export async function balanceOf(gateway: Gateway, accountId: string): Promise<Balance> {
  return await gateway.control<Balance>("GET", `/api/user/${accountId}`);
}

/** The balance once nothing is held any more: every request of the account has been settled. */
export async function settledBalance(gateway: Gateway, accountId: string): Promise<Balance> {
  return await eventually(
    () => balanceOf(gateway, accountId),
    ({ held_micros }) => held_micros === 0,
  );
}

export interface LogRow {
  request_id: string;
  model: string;
  status: number;
  outcome: string;
  micros: number;
  attempts: number;
  error_code: string | null;
}

/** The rows of a key, newest first, as soon as there are that many. */
export async function logRows(gateway: Gateway, keyId: string, count: number): Promise<LogRow[]> {
  const list = () =>
    gateway.control<{ items: LogRow[] }>("GET", `/api/log?key=${keyId}&page_size=100`);
  const { items } = await eventually(list, (found) => found.items.length >= count);
  return items;
}

/**
 * The files below a folder in which the text stands, apart from those named; and the tables, where
 * the folder stands for a database.
 */
export async function filesWith(
  folder: string,
  text: string,
  apart: readonly string[] = [],
): Promise<string[]> {
  const needle = Buffer.from(text);
  const tables = isOnPostgres ? await tablesWith(folder, text) : [];
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name);
    // A file gone since its name was read holds nothing.
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
    return !apart.includes(name) && isFile && readFileSync(path).includes(needle);
  });
  return [...files, ...tables];
}

/** The most memory that a gateway has had so far, with all its processes. */
export function peakBytes({ pids }: Pick<Gateway, "pids">): number {
  const peaks = pids.map((pid) => {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  });
  return peaks.reduce((sum, bytes) => sum + bytes, 0);
}

/** Everything about an answer that a client can see, apart from ids and dates. */
export async function visible(response: Response): Promise<string> {
  const headers = [...response.headers]
    .filter(([name]) => !["x-request-id", "request-id", "date"].includes(name))
    .map(([name, value]) => `${name}: ${value}`);
  return [response.status, ...headers.toSorted(), await response.text()].join("\n");
}

/** The data of each event of a stream that has ended. */
export async function eventsOf(response: Response): Promise<string[]> {
  const text = await response.text();
  return text
    .split("\n\n")
    .filter((block) => block.startsWith("data: "))
    .map((block) => block.slice("data: ".length));
}

/** Throws when the program has ended by itself, whatever was done to it. */
export async function assertUp(gateway: Gateway): Promise<void> {
  const state = await Promise.race([gateway.exited, Bun.sleep(0).then(() => "up" as const)]);
  if (state === "up") return;
  throw new Error(`the gateway ended by itself with ${state}:\n${gateway.output.slice(-2000)}`);
}
