// `sluice serve --nodes`: several nodes on one port of a machine, and what happens when one dies.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chatBody } from "../harness/ask.ts";
import { balanceOf, eventually } from "../harness/books.ts";
import { runCommand } from "../harness/command.ts";
import { Folder } from "../harness/folder.ts";
import { rootKey, rootToken, startProcess, type Gateway } from "../harness/gateway.ts";
import { clusterSecret, dropDatabase, newDatabase } from "../harness/postgres.ts";
import { completion, Vendor } from "../harness/vendor.ts";

const priceMicros = 10;
const folder = new Folder();
let url: string;
let vendor: Vendor;
let gateway: Gateway;
let served = 0;

const environment = () => ({
  SLUICE_DATABASE_URL: url,
  SLUICE_SECRET: clusterSecret,
  SLUICE_NODE_NAME: "box",
});

interface NodeState {
  url: string;
  pid: number;
}

function stateOf(number: number): NodeState | undefined {
  const path = join(folder.path, "nodes", String(number), "server.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as NodeState) : undefined;
}

function nodeState(number: number): NodeState {
  const state = stateOf(number);
  if (!state) throw new Error(`node ${number} is not there`);
  return state;
}

/** On a connection of its own each time, so that the system chooses among the nodes. */
async function ask(): Promise<number> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    keepalive: false,
    headers: {
      authorization: `Bearer ${rootKey}`,
      "content-type": "application/json",
      connection: "close",
    },
    body: JSON.stringify(chatBody("flat")),
  });
  await response.text();
  if (response.status === 200) served++;
  return response.status;
}

async function countOf(number: number): Promise<number> {
  const text = await (await fetch(`${nodeState(number).url}/metrics`)).text();
  const line = /^sluice_requests_total\{[^}]*chat[^}]*outcome="ok"\} (\d+)$/m.exec(text);
  return Number(line?.[1] ?? 0);
}

/** Each node has answered another one; all are answered. */
async function askBoth(): Promise<void> {
  const before = await Promise.all([countOf(1), countOf(2)]);
  await eventually("answers of both nodes", async () => {
    expect(await Promise.all([ask(), ask(), ask(), ask()])).toEqual([200, 200, 200, 200]);
    const counts = await Promise.all([countOf(1), countOf(2)]);
    return counts.every((count, at) => count > (before[at] ?? 0)) ? true : undefined;
  });
}

const isGone = (pid: number) => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

beforeAll(async () => {
  url = await newDatabase();
  vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
  const channel = JSON.stringify(vendor.channel({ name: "only", models: ["flat"] }));
  gateway = await startProcess({
    config: [
      'sandbox: "off"',
      "journal: { lease_ms: 3000 }",
      `channels: [${channel}]`,
      `prices: [{ model: flat, call_micros: ${priceMicros} }]`,
    ].join("\n"),
    environment: environment(),
    folder: folder.path,
    words: ["--nodes", "2"],
  });
});

afterAll(async () => {
  await gateway.stop();
  vendor[Symbol.dispose]();
  folder[Symbol.dispose]();
  await dropDatabase(url);
});

describe("two nodes on one port", () => {
  test("both answer, each under its own name, and a command finds them", async () => {
    await askBoth();
    const listed = await runCommand(
      { folder: folder.path, environment: environment() },
      "node",
      "list",
      "--json",
    );
    const nodes = JSON.parse(listed.out) as { name: string; state: string; lent_micros: number }[];
    expect(nodes.map(({ name, state }) => [name, state])).toEqual([
      ["box/1", "live"],
      ["box/2", "live"],
    ]);
    const metrics = await (await fetch(`${nodeState(2).url}/metrics`)).text();
    expect(metrics).toContain('sluice_node_info{node="box/2"} 1');
  });

  test("one that is killed is started again, and nobody is refused meanwhile", async () => {
    const before = nodeState(2);
    process.kill(before.pid, "SIGKILL");
    await eventually("its end", async () => (isGone(before.pid) ? true : undefined));
    for (let count = 0; count < 10; count++) expect(await ask()).toBe(200);
    await eventually("another in its place", async () => {
      const after = stateOf(2);
      return after !== undefined && after.pid !== before.pid ? true : undefined;
    });
    await askBoth();
    const envelope = await gateway.controlEnvelope("GET", "/api/node", undefined, rootToken);
    expect(JSON.stringify(envelope.data)).toContain('"box/2"');
  });

  test("end together at a stop, and every answer was charged once", async () => {
    const { id } = await gateway.control<{ id: string }>("GET", "/api/user/self");
    const { used_micros: used } = await balanceOf(gateway, id);
    expect(used).toBe(served * priceMicros);
    const pids = [nodeState(1).pid, nodeState(2).pid];
    expect(await gateway.stop()).toBe(0);
    expect(pids.map(isGone)).toEqual([true, true]);
    using elsewhere = new Folder();
    const at = { folder: elsewhere.path, environment: environment() };
    const verified = await runCommand(at, "ledger", "verify");
    expect([verified.code, verified.out]).toEqual([0, expect.stringMatching(/^ok: /)]);
  });
});

test("nodes without a database to share are refused, and nothing is made on the disk", async () => {
  using bare = new Folder();
  const data = join(bare.path, "data");
  const refused = await runCommand({ folder: data }, "serve", "--nodes", "2");
  expect([refused.code, existsSync(data)]).toEqual([1, false]);
  expect(refused.error).toStartWith("--nodes needs SLUICE_DATABASE_URL: several nodes share");
});
