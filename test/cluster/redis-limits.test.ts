// Limits that two nodes keep together in Redis, which is killed and started again under them.
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import {
  leaseArguments,
  leaseScript,
  readLease,
  type LeaseAsk,
} from "../../src/limits/shared/lease-script.ts";
import { chatBody } from "../harness/ask.ts";
import { eventually } from "../harness/books.ts";
import { startGateway, temporaryFolder, type Gateway } from "../harness/gateway.ts";
import { openRedis, redisMsMax, whyNoRedis, type Redis } from "../harness/redis.ts";
import { testNeeding } from "../harness/requirements.ts";
import { completion, Vendor, type VendorScript } from "../harness/vendor.ts";

setDefaultTimeout(redisMsMax);

const config = `
sandbox: "off"
groups:
  - { name: default }
  - { name: slow, requests_per_minute: 12 }
prices:
  - { model: flat, call_micros: 1 }
`;

const whole: VendorScript = (_request, reply) => reply.json(completion("Yes."));

type Nodes = [Gateway, Gateway];

const vendor = new Vendor(whole);
const folders = [temporaryFolder(), temporaryFolder()];
const names = ["fast", "wide", "spoken", "narrow", "steady", "again"] as const;
const keys = new Map<string, string>();
const missingRedis = await whyNoRedis();
const testWithRedis = testNeeding("redis", missingRedis);
let redis: Redis;
let nodes: Nodes;

/** Both have the same rows, as nodes on one database would: the second folder is a copy. */
async function prepare(environment: Record<string, string>): Promise<Nodes> {
  const [first = "", second = ""] = folders;
  const one = await startGateway({ config, folder: first });
  const groups = ["default", "slow"];
  await one.control("POST", "/api/channel", vendor.channel({ models: ["flat"], groups }));
  const limits = [
    { requests_per_minute: 60 },
    { requests_per_minute: 6000 },
    { tokens_per_minute: 60 },
    { concurrency: 2 },
    { requests_per_minute: 600, tokens_per_minute: 1_000_000, concurrency: 50 },
    { requests_per_minute: 120 },
  ];
  for (const [at, name] of names.entries()) {
    keys.set(name, (await one.customer(1_000_000, limits[at])).key);
  }
  keys.set("grouped", (await one.customer(1_000_000, { group: "slow" })).key);
  await one.stop();
  cpSync(first, second, { recursive: true });
  return await Promise.all([
    startGateway({ config, environment, folder: first }),
    startGateway({ config, environment, folder: second }),
  ]);
}

beforeAll(async () => {
  if (missingRedis !== null) return;
  const opened = await openRedis();
  if ("missing" in opened) throw new Error(opened.missing);
  redis = opened.redis;
  nodes = await prepare({ SLUICE_REDIS_URL: redis.url });
  for (const node of nodes) await until(async () => (await statusOf(node)).nodes === 2);
});

afterAll(async () => {
  if (missingRedis === null) {
    for (const node of nodes) await node[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  vendor[Symbol.dispose]();
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  await eventually("what was waited for", async () => (await isSo()) || undefined);
}

interface LimitsStatus {
  by: string;
  nodes: number;
}

async function statusOf(node: Gateway): Promise<LimitsStatus> {
  return (await node.control<{ limits: LimitsStatus }>("GET", "/api/status")).limits;
}

async function ask(node: Gateway, name: string): Promise<number> {
  const response = await node.post("/v1/chat/completions", chatBody("flat"), keys.get(name));
  await response.text();
  return response.status;
}

/** Times the nodes began to go by their share: a busy machine may be late by itself. */
async function lossesOf(gateways: Nodes): Promise<number> {
  let losses = 0;
  for (const { url } of gateways) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    losses += Number(/^sluice_redis_losses_total (\d+)$/m.exec(metrics)?.[1]);
  }
  return losses;
}

/** Whether the first node asked Redis for this one, and was lent it. */
async function askInCommon(gateways: Nodes, name: string): Promise<boolean> {
  const lossesBefore = await lossesOf(gateways);
  const keepers = await Promise.all(gateways.map(statusOf));
  const status = await ask(gateways[0], name);
  const isCommon = keepers.every(({ by }) => by === "redis");
  return isCommon && status === 200 && (await lossesOf(gateways)) === lossesBefore;
}

/** Requests from both nodes in turn: how many were admitted, in how long, by the common count. */
async function flood([one, other]: Nodes, name: string, count: number) {
  const lossesBefore = await lossesOf([one, other]);
  const keepers = await Promise.all([one, other].map(statusOf));
  const isCommon = keepers.every(({ by }) => by === "redis");
  const startedAtMs = performance.now();
  const statuses: number[] = [];
  for (let at = 0; at < count; at += 20) {
    const burst = Array.from({ length: Math.min(20, count - at) }, (_, place) =>
      ask(place % 3 === 0 ? one : other, name),
    );
    statuses.push(...(await Promise.all(burst)));
  }
  expect(statuses.every((status) => status === 200 || status === 429)).toBe(true);
  const admitted = statuses.filter((status) => status === 200).length;
  const spanMs = performance.now() - startedAtMs;
  const losses = (await lossesOf([one, other])) - lossesBefore;
  return { admitted, refused: count - admitted, spanMs, isCommon: isCommon && losses === 0 };
}

function bound(perMinute: number, spanMs: number): number {
  const lent = 2 * Math.max(1, Math.floor(perMinute / 600));
  return Math.ceil(perMinute + (perMinute * spanMs) / 60_000 + lent);
}

describe("two nodes with one Redis", () => {
  // On a busy machine they may have left it for a moment.
  beforeEach(async () => {
    if (missingRedis !== null) return;
    for (const node of nodes) await until(async () => (await statusOf(node)).by === "redis");
  });

  testWithRedis("admit together what a key may do, and all of it", async () => {
    const { admitted, spanMs, isCommon } = await flood(nodes, "fast", 200);
    if (isCommon) expect(admitted).toBeGreaterThanOrEqual(60);
    expect(admitted).toBeLessThanOrEqual(bound(60, spanMs));
  });

  testWithRedis("admit together what a group may do", async () => {
    const { admitted, spanMs, isCommon } = await flood(nodes, "grouped", 60);
    if (isCommon) expect(admitted).toBeGreaterThanOrEqual(12);
    expect(admitted).toBeLessThanOrEqual(bound(12, spanMs));
  });

  testWithRedis("lend a tenth of a second's worth at a time, in few calls", async () => {
    const before = await callsOf(redis);
    const { refused, isCommon } = await flood(nodes, "wide", 400);
    if (isCommon) expect(refused).toBe(0);
    expect((await callsOf(redis)) - before).toBeLessThan(200);
  });

  testWithRedis("count tokens together", async () => {
    const [one, other] = nodes;
    expect(await ask(other, "spoken")).toBe(200);
    // Each answer uses some tokens; the other node hears of them within a second.
    let used = 1;
    while ((await ask(one, "spoken")) === 200) used += 1;
    expect(used).toBeGreaterThan(1);
    await until(async () => (await ask(other, "spoken")) === 429);
  });

  testWithRedis(
    "have together as many places as a key has, on whichever node they are asked for",
    async () => {
      const [one, other] = nodes;
      const held: (() => void)[] = [];
      const arrived = new Set<() => void>();
      vendor.script = async (_request, reply) => {
        await new Promise<void>((resolve) => {
          held.push(resolve);
          for (const tell of arrived) tell();
        });
        reply.json(completion("Yes."));
      };
      const two = new Promise<void>((resolve) => {
        arrived.add(() => {
          if (held.length === 2) resolve();
        });
      });
      const answers = [ask(one, "narrow"), ask(one, "narrow")];
      await two;
      vendor.script = whole;
      const lossesBefore = await lossesOf(nodes);
      const refused = [await ask(other, "narrow"), await ask(one, "narrow")];
      if ((await lossesOf(nodes)) === lossesBefore) expect(refused).toEqual([429, 429]);
      for (const end of held) end();
      expect(await Promise.all(answers)).toEqual([200, 200]);
      for (const pair of [
        [other, other],
        [one, other],
      ]) {
        await until(async () => {
          const statuses = await Promise.all(pair.map((node) => ask(node, "narrow")));
          return statuses.every((status) => status === 200);
        });
      }
    },
  );
});

describe("a response that was converted", () => {
  const say = async (node: Gateway, fields: object) => {
    const body = { model: "flat", input: "I live in Ghent.", ...fields };
    const response = await node.post("/v1/responses", body, keys.get("wide"));
    const { id } = (await response.json()) as { id: string };
    return { status: response.status, id };
  };

  testWithRedis("is built on by another node, and is gone there once it is deleted", async () => {
    const [one, other] = nodes;
    const { id, status } = await say(one, {});
    expect(status).toBe(200);
    await until(async () => (await say(other, { previous_response_id: id })).status === 200);
    expect(String(vendor.requests.at(-1)?.text)).toContain("Ghent");
    const names = (await redis.send("KEYS", ["sluice:reply:*"])) as string[];
    const texts = await Promise.all(names.map((name) => redis.send("GET", [name])));
    expect(JSON.stringify(texts)).not.toContain("Ghent");
    const authorization = `Bearer ${keys.get("wide")}`;
    const path = `${other.url}/v1/responses/${id}`;
    expect((await fetch(path, { headers: { authorization } })).status).toBe(200);
    await fetch(path, { method: "DELETE", headers: { authorization } });
    expect((await fetch(path, { headers: { authorization } })).status).not.toBe(200);
  });
});

describe("the script, on a count that is empty", () => {
  const none = { requestsMissing: -1e9, requestsTaken: 0, tokensMissing: -1e9, tokensTaken: 0 };
  const ask: LeaseAsk = {
    subject: "key:empty",
    requestsPerMinute: 60,
    tokensPerMinute: 1000,
    concurrency: 4,
    requests: 0,
    admittedAlone: 0,
    tokens: 0,
    places: 0,
    placesInUse: 0,
    memory: null,
  };
  const lease = async (name: string, node: string, fields: Partial<LeaseAsk>) => {
    const values = leaseArguments(node, { ...ask, ...fields });
    return readLease(await redis.send("EVAL", [leaseScript, "1", name, ...values]));
  };

  testWithRedis("goes by the most that a node remembers, and by what each took since", async () => {
    const one = { requestsMissing: 20, requestsTaken: 3, tokensMissing: 700, tokensTaken: 50 };
    const other = { requestsMissing: 25, requestsTaken: 2, tokensMissing: -4, tokensTaken: 0 };
    const first = await lease("trial:memory", "one", { memory: one });
    expect([first.requestsLeft, first.tokensLeft]).toEqual([37, 250]);
    const second = await lease("trial:memory", "other", { memory: other });
    expect(second.requestsLeft).toBeOneOf([30, 31]);
    const third = await lease("trial:memory", "third", { memory: none });
    expect(third.requestsLeft).toBeOneOf([30, 31]);
    expect(third.storeAgeMs).toBeGreaterThan(0);
    const plain = await lease("trial:memory", "third", { requests: 2 });
    expect([plain.requests, plain.storeAgeMs]).toEqual([2, 0]);
  });

  testWithRedis("counts places that a node uses without having been lent them", async () => {
    expect(await lease("trial:places", "one", { places: 4 })).toMatchObject({ places: 4 });
    const share = { places: 1, placesInUse: 1 };
    expect(await lease("trial:places", "other", share)).toMatchObject({ places: 0 });
    const elsewhere = await lease("trial:places", "one", { places: 4, placesInUse: 3 });
    expect(elsewhere).toMatchObject({ places: 3, placesElsewhere: 1 });
  });
});

describe("when Redis dies", () => {
  testWithRedis(
    "each node goes on with its share, says so, and refuses nobody for it",
    async () => {
      const gateways = nodes;
      // A busy node may have left Redis by itself: then its share is used up by this one question.
      await until(() => askInCommon(gateways, "steady"));
      await redis.kill();
      for (const node of nodes) expect(await ask(node, "steady")).toBe(200);
      for (const node of nodes) {
        await until(async () => (await statusOf(node)).by === "share");
        expect(await statusOf(node)).toEqual({ by: "share", nodes: 2 });
        const metrics = await (await fetch(`${node.url}/metrics`)).text();
        expect(metrics).toContain("sluice_redis_up 0");
        expect(metrics).toMatch(/sluice_redis_losses_total [1-9]/);
      }
      const { admitted, spanMs } = await flood(nodes, "wide", 400);
      // Fifty a second for each node, and one to begin with.
      expect(admitted).toBeGreaterThan(0);
      expect(admitted).toBeLessThanOrEqual(Math.ceil((6000 * (spanMs + 2000)) / 60_000) + 40);
    },
  );

  testWithRedis("the common count is back within a second of its restart", async () => {
    await redis.start();
    const startedAtMs = performance.now();
    for (const node of nodes) await until(async () => (await statusOf(node)).by === "redis");
    expect(performance.now() - startedAtMs).toBeLessThan(5000);
    const { admitted, spanMs } = await flood(nodes, "fast", 200);
    expect(admitted).toBeLessThanOrEqual(bound(60, spanMs));
  });

  testWithRedis("one that comes back empty gives no limit a second time", async () => {
    const startedAtMs = performance.now();
    let { admitted } = await flood(nodes, "again", 200);
    await redis.kill();
    await redis.start();
    for (const endsAtMs = performance.now() + 7000; performance.now() < endsAtMs;) {
      admitted += (await flood(nodes, "again", 40)).admitted;
      await Bun.sleep(50);
    }
    // A share begins with a second's worth and one request for each node.
    const begun = 120 / 60 + 2 * nodes.length;
    const spanMs = performance.now() - startedAtMs;
    expect(admitted).toBeLessThanOrEqual(bound(120, spanMs) + begun);
  });

  testWithRedis(
    "a Redis that is frozen is left after 50 ms, and no request waits for longer",
    async () => {
      const [one] = nodes;
      redis.signal("SIGSTOP");
      expect(await ask(one, "steady")).toBe(200);
      await until(async () => (await statusOf(one)).by === "share");
      redis.signal("SIGCONT");
      await until(async () => (await statusOf(one)).by === "redis");
      expect(await ask(one, "steady")).toBe(200);
    },
  );
});

async function callsOf(store: Redis): Promise<number> {
  const info = String(await store.send("INFO", ["commandstats"]));
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1] ?? 0);
}
