// Cost of PostgreSQL and of a second node: admission, the end of an answer, and CPU, with all
// traffic on one account and spread over many.
import { SQL } from "bun";
import { startCluster, type ClusterTarget, type Place } from "../targets/cluster.ts";
import type { Options } from "../options.ts";
import { measure, type Measure } from "./passes.ts";
import { readCpuMicros } from "./process-usage.ts";
import { rotate, warmUpSeconds } from "./rounds.ts";
import { median, percentile } from "./statistics.ts";
import { models, requestAsk, streamAsk } from "./workload.ts";

export const clusterWays = [
  "files, one account",
  "one node, one account",
  "one node, 64 accounts",
  "two nodes, one account",
  "two nodes, 64 accounts",
] as const;
type ClusterWay = (typeof clusterWays)[number];

interface ClusterLoad {
  readonly requestsPerSecond: number;
  /** CPU of all the gateway's processes together. */
  readonly cpuMicrosPerRequest: number;
  readonly databaseCpuMicrosPerRequest: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: number;
}

export interface Cluster {
  readonly loads: Readonly<Record<ClusterWay, ClusterLoad>>;
  /** One request after the other; until the vendor is asked, which waits for no commit. */
  readonly vendorAskedMs: Readonly<Record<"files" | "node", number>>;
  /** One connection; until a stream begins: its hold is committed while the vendor answers. */
  readonly streamBeginsMs: Readonly<Record<"files" | "node", number>>;
  /** One connection; until a whole answer has come, which a node commits first. */
  readonly answerEndsMs: Readonly<Record<"files" | "node", number>>;
  /** Commits that the node made for each of these answers. */
  readonly commitsPerAnswer: number;
  /** Time of one commit of a small row, asked in the same way. */
  readonly commitMs: number;
}

const aloneSeconds = 2;

export async function measureCluster(options: Options, folder: string): Promise<Cluster> {
  console.error("two nodes on one database");
  const target = await startCluster(folder);
  try {
    return await measureAll(target, options);
  } finally {
    await target.reach.close();
    await target.server[Symbol.asyncDispose]();
  }
}

async function measureAll(target: ClusterTarget, options: Options): Promise<Cluster> {
  const { files, nodes } = target;
  const alone: readonly (readonly [string, Place])[] = [
    ["files", files],
    ["node", nodes[0]],
  ];
  const found = new Map<string, number[]>();
  const loads = new Map<ClusterWay, ClusterLoad[]>();
  const add = <Key, Value>(to: Map<Key, Value[]>, key: Key, value: Value): void => {
    to.set(key, [...(to.get(key) ?? []), value]);
  };
  for (const place of [files, ...nodes]) {
    await measure(place, { ...requestAsk, connections: 64, seconds: warmUpSeconds });
    await measure(place, { ...streamAsk, connections: 16, seconds: aloneSeconds });
  }
  for (let round = 0; round < options.rounds; round++) {
    console.error(`round ${round + 1} of ${options.rounds}, nodes`);
    for (const way of rotate(clusterWays, round))
      add(loads, way, await loadBy(way, target, options));
    for (const [name, place] of rotate(alone, round)) {
      const one = { connections: 1, seconds: aloneSeconds };
      add(found, `asked ${name}`, await timeReach(place, target));
      add(found, `begins ${name}`, (await measure(place, { ...streamAsk, ...one })).firstByteP50Ms);
      const turnsBefore = await countTurns(target);
      const ended = await measure(place, { ...requestAsk, ...one });
      add(found, `ends ${name}`, ended.p50Ms);
      if (name === "node") {
        add(found, "commits", ((await countTurns(target)) - turnsBefore) / ended.count);
      }
    }
    add(found, "commit", await timeCommits(target));
  }
  const middle = (name: string) => median(found.get(name) ?? []);
  const shown = clusterWays.map((way) => [way, middleLoad(loads.get(way) ?? [])]);
  return {
    loads: Object.fromEntries(shown) as Record<ClusterWay, ClusterLoad>,
    vendorAskedMs: { files: middle("asked files"), node: middle("asked node") },
    streamBeginsMs: { files: middle("begins files"), node: middle("begins node") },
    answerEndsMs: { files: middle("ends files"), node: middle("ends node") },
    commitsPerAnswer: middle("commits"),
    commitMs: middle("commit"),
  };
}

async function loadBy(
  way: ClusterWay,
  { files, nodes, keys, databasePid }: ClusterTarget,
  { connections, seconds }: Options,
): Promise<ClusterLoad> {
  const [where, whose] = way.split(", ");
  const places: readonly Place[] =
    where === "files" ? [files] : where === "one node" ? [nodes[0]] : nodes;
  const work = {
    ...requestAsk,
    connections: connections / places.length,
    seconds,
    ...(whose === "64 accounts" && { keys }),
  };
  const before = readCpuMicros(databasePid);
  const measured = await Promise.all(places.map((place) => measure(place, work)));
  const databaseMicros = readCpuMicros(databasePid) - before;
  return toLoad(measured, databaseMicros);
}

function toLoad(measured: readonly Measure[], databaseMicros: number): ClusterLoad {
  const sum = (of: (one: Measure) => number) => measured.reduce((all, one) => all + of(one), 0);
  const count = Math.max(
    1,
    sum((one) => one.count),
  );
  return {
    requestsPerSecond: sum((one) => one.requestsPerSecond),
    cpuMicrosPerRequest: sum((one) => one.cpuMicrosPerRequest * one.count) / count,
    databaseCpuMicrosPerRequest: databaseMicros / count,
    p50Ms: sum((one) => one.p50Ms) / measured.length,
    p99Ms: Math.max(...measured.map((one) => one.p99Ms)),
    errors: sum((one) => one.errors),
  };
}

function middleLoad(loads: readonly ClusterLoad[]): ClusterLoad {
  const middle = (of: keyof ClusterLoad) => median(loads.map((load) => load[of]));
  return {
    requestsPerSecond: middle("requestsPerSecond"),
    cpuMicrosPerRequest: middle("cpuMicrosPerRequest"),
    databaseCpuMicrosPerRequest: middle("databaseCpuMicrosPerRequest"),
    p50Ms: middle("p50Ms"),
    p99Ms: middle("p99Ms"),
    errors: middle("errors"),
  };
}

/** A turn of a node is one commit; the other node beats once a second and is of no account. */
async function countTurns({ server }: ClusterTarget): Promise<number> {
  const [row] = await server.ask("postgres", "select seq from node where name = 'one'");
  return Number(row?.["seq"]);
}

const asks = 500;
/** A process that has just waited for its database would be colder than one that had not to. */
const restMs = 5;

/** From the moment in which a client asks to that in which the vendor is asked. */
async function timeReach({ port, headers }: Place, { reach }: ClusterTarget): Promise<number> {
  const messages = [{ role: "user", content: "Are you there?" }];
  const body = JSON.stringify({ model: models.reach, messages, max_tokens: 16 });
  const times: number[] = [];
  for (let at = 0; at < asks; at++) {
    await Bun.sleep(restMs);
    const startMs = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    if (!response.ok) throw new Error(`the node answered ${await response.text()}`);
    await response.json();
    times.push(reach.askedAtMs - startMs);
  }
  return percentile(
    times.toSorted((one, other) => one - other),
    0.5,
  );
}

const commits = 200;

async function timeCommits({ server }: ClusterTarget): Promise<number> {
  const client = new SQL({ url: server.url("postgres"), max: 1 });
  try {
    await client.unsafe("create table if not exists bench_commit (at bigint)");
    const times: number[] = [];
    for (let at = 0; at < commits; at++) {
      const startMs = performance.now();
      await client`insert into bench_commit values (${at})`;
      times.push(performance.now() - startMs);
    }
    return percentile(
      times.toSorted((one, other) => one - other),
      0.5,
    );
  } finally {
    await client.close({ timeout: 0 });
  }
}
