// Two nodes behind a balancer are restarted one after the other under load, and no request fails.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chatBody } from "../harness/ask.ts";
import { balanceOf, eventually } from "../harness/books.ts";
import { runCommand } from "../harness/command.ts";
import { Folder } from "../harness/folder.ts";
import { startProcess, type Gateway } from "../harness/gateway.ts";
import { ReadyBalancer } from "../harness/nodes/ready-balancer.ts";
import { clusterSecret, dropDatabase, newDatabase } from "../harness/postgres.ts";
import { completion, delta, Vendor } from "../harness/vendor.ts";

const priceMicros = 10;
const workers = 4;
/** Load is there all the time, and leaves the processors to the nodes that start. */
const restMs = 25;
const msMax = 240_000;
const folders = [new Folder(), new Folder()];
let url: string;
let vendor: Vendor;
let nodes: Gateway[];

const environment = () => ({ SLUICE_DATABASE_URL: url, SLUICE_SECRET: clusterSecret });

function startNode(at: number): Promise<Gateway> {
  const channel = JSON.stringify(vendor.channel({ name: "only", models: ["flat"] }));
  return startProcess({
    config: [
      'sandbox: "off"',
      "server: { leave_seconds: 2 }",
      `channels: [${channel}]`,
      `prices: [{ model: flat, call_micros: ${priceMicros} }]`,
    ].join("\n"),
    environment: environment(),
    folder: folders[at]?.path ?? "",
  });
}

beforeAll(async () => {
  url = await newDatabase();
  vendor = new Vendor((request, reply) => {
    if (request.body["stream"] !== true) return reply.json(completion("Yes."));
    reply.stream();
    reply.event(delta({ content: "Yes." }, "stop"));
    reply.event("[DONE]");
    reply.end();
  });
  nodes = await Promise.all([startNode(0), startNode(1)]);
});

afterAll(async () => {
  for (const node of nodes) await node.stop();
  vendor[Symbol.dispose]();
  for (const folder of folders) folder[Symbol.dispose]();
  await dropDatabase(url);
});

test(
  "both nodes are restarted under load, one after the other, and no request fails",
  async () => {
    const [first] = nodes;
    if (!first) throw new Error("there is no node");
    const payer = await first.customer(10_000_000);
    await using balancer = new ReadyBalancer(nodes.map((node) => node.url));
    const failures: string[] = [];
    let [answers, isDone] = [0, false];
    async function ask(isStream: boolean): Promise<void> {
      const response = await fetch(`${balancer.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${payer.key}`, "content-type": "application/json" },
        body: JSON.stringify({ ...chatBody("flat"), stream: isStream }),
      });
      const text = await response.text();
      const isWhole = response.status === 200 && (!isStream || text.includes("[DONE]"));
      if (isWhole) answers++;
      else failures.push(`${response.status} ${text}`);
    }
    async function work(): Promise<void> {
      for (let count = 0; !isDone; count++) {
        await ask(count % 2 === 0).catch((error: unknown) => failures.push(String(error)));
        await Bun.sleep(restMs);
      }
    }
    const more = async (count: number) => {
      const before = answers;
      await eventually("answers", async () => (answers >= before + count ? true : undefined));
    };
    // The key is known to both before anybody counts.
    await eventually("the key on both nodes", async () => {
      const replies = await Promise.all(nodes.map((node) => node.get("/v1/models", payer.key)));
      return replies.every(({ status }) => status === 200) ? true : undefined;
    });
    const working = Array.from({ length: workers }, work);
    for (const at of [0, 1]) {
      await more(20);
      const stopped = nodes[at]?.stop();
      await eventually("the node left out", async () =>
        balancer.place(at).isIn ? undefined : true,
      );
      expect(balancer.place(at).said).toContain('"gateway":"the gateway is leaving"');
      await more(20);
      expect(await stopped).toBe(0);
      const node = await startNode(at);
      nodes[at] = node;
      balancer.move(at, node.url);
      await eventually("the node back", async () => (balancer.place(at).isIn ? true : undefined));
    }
    await more(20);
    isDone = true;
    await Promise.all(working);
    expect(failures).toEqual([]);
    const { used_micros: used } = await balanceOf(nodes[0] ?? first, payer.id);
    expect(used).toBe(answers * priceMicros);
    using elsewhere = new Folder();
    const at = { folder: elsewhere.path, environment: environment() };
    const verified = await runCommand(at, "ledger", "verify");
    expect([verified.code, verified.out]).toEqual([0, expect.stringMatching(/^ok: /)]);
  },
  msMax,
);
