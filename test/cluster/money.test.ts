// Money across two real gateways on one database: never a micro too much, the last cent from any
// node, and nothing for a node that others have called dead.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chatBody } from "../harness/ask.ts";
import { eventually } from "../harness/books.ts";
import { runCommand } from "../harness/command.ts";
import { Folder } from "../harness/folder.ts";
import { startGateway, type Gateway, type GatewayOptions } from "../harness/gateway.ts";
import { addFlatModel } from "../harness/nodes/flat-model.ts";
import { clusterSecret, dropDatabase, newDatabase, sharedPostgres } from "../harness/postgres.ts";
import { completion, delta, Vendor } from "../harness/vendor.ts";

/** Micros that every request holds and costs. */
const priceMicros = 1000;
/** Short enough for a test to see a node die. */
const leaseMs = 3000;

let url: string;
let vendor: Vendor;
let one: Gateway;
let other: Gateway;
const folders = [new Folder(), new Folder()];

/** A node that is frozen or killed has a process of its own. */
const node = (folder: Folder | undefined, options: GatewayOptions = {}) =>
  startGateway({
    ...options,
    config: `sandbox: "off"\njournal: { lease_ms: ${leaseMs} }\n`,
    environment: { SLUICE_DATABASE_URL: url, SLUICE_SECRET: clusterSecret },
    ...(folder && { folder: folder.path }),
  });

const rows = async (sql: string) =>
  await (await sharedPostgres()).ask(new URL(url).pathname.slice(1), sql);

const ask = async (gateway: Gateway, key: string) => {
  const response = await gateway.post("/v1/chat/completions", chatBody("flat"), key);
  await response.text();
  return response.status;
};

const spentOf = async (gateway: Gateway, id: string) =>
  (await gateway.control<{ used_micros: number }>("GET", `/api/user/${id}`)).used_micros;

/** Every node has heard of the key. */
async function customer(micros: number) {
  const payer = await one.customer(micros);
  await eventually("the key on the other node", async () => {
    const response = await other.get("/v1/models", payer.key);
    return response.status === 200 ? true : undefined;
  });
  return payer;
}

async function tally(count: number, key: string) {
  const statuses = await Promise.all(
    Array.from({ length: count }, (_, at) => ask(at % 2 === 0 ? one : other, key)),
  );
  const tallied: Record<number, number> = {};
  for (const status of statuses) tallied[status] = (tallied[status] ?? 0) + 1;
  return tallied;
}

beforeAll(async () => {
  url = await newDatabase();
  vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
  [one, other] = await Promise.all([node(folders[0]), node(folders[1], { isProcess: true })]);
  await addFlatModel([one, other], vendor, priceMicros);
});

afterAll(async () => {
  for (const gateway of [one, other]) await gateway.stop();
  vendor[Symbol.dispose]();
  for (const folder of folders) folder[Symbol.dispose]();
  await dropDatabase(url);
});

describe("two nodes", () => {
  test("serve three of 500 at once where there is money for three", async () => {
    const { id, key } = await customer(3 * priceMicros + 1);
    const tallied = await tally(500, key);
    expect(tallied[200]).toBe(3);
    expect((tallied[402] ?? 0) + (tallied[503] ?? 0)).toBe(497);
    expect(await spentOf(other, id)).toBe(3 * priceMicros);
  });

  test("look a second time at a body whose bytes are too dear, and never overspend", async () => {
    const model = "gpt-5-metered";
    const price = { input_micros_per_million: 1e6, output_micros_per_million: 1e6 };
    await one.control("POST", "/api/price", { model, ...price });
    await one.control("POST", "/api/channel", vendor.channel({ name: "metered", models: [model] }));
    const body = chatBody(model, {
      max_tokens: 100,
      messages: [
        { role: "user", content: "whatever the river carries until evening ".repeat(700) },
      ],
    });
    const bytes = JSON.stringify(body).length;
    const { id, key } = await customer(Math.floor(bytes * 0.6));
    await eventually("the model on the other node", async () => {
      const listed = await (await other.get("/v1/models", key)).text();
      return listed.includes(model) ? true : undefined;
    });
    const served = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const gateway = at % 2 === 0 ? one : other;
        const response = await gateway.post("/v1/chat/completions", body, key);
        await response.text();
        return response.status;
      }),
    );
    const count = served.filter((status) => status === 200).length;
    expect(count).toBeGreaterThan(0);
    expect(served.filter((status) => ![200, 402, 503].includes(status))).toEqual([]);
    expect(await spentOf(one, id)).toBe(count * 30);
  });

  test("spend an account to its last micro from either, and not one more", async () => {
    const { id, key } = await customer(9 * priceMicros);
    for (let at = 0; at < 9; at++) expect(await ask(at % 2 === 0 ? one : other, key)).toBe(200);
    expect([await ask(one, key), await ask(other, key)]).toEqual([402, 402]);
    expect(await spentOf(one, id)).toBe(9 * priceMicros);
  });

  test("keep one limit of a key between them, also when it is raised", async () => {
    const { id, key, keyId } = await customer(1_000_000);
    await one.control("PATCH", `/api/token/${keyId}`, { quota_micros: 4 * priceMicros });
    expect((await tally(60, key))[200]).toBe(4);
    await one.control("PATCH", `/api/token/${keyId}`, { quota_micros: 5 * priceMicros });
    expect(
      await eventually("the fifth", async () => ((await ask(other, key)) === 200 ? 1 : undefined)),
    ).toBe(1);
    expect(await ask(one, key)).toBe(402);
    expect(await spentOf(one, id)).toBe(5 * priceMicros);
  });

  test("take back from one what the other was lent", async () => {
    const { id, key } = await customer(10 * priceMicros);
    expect(await ask(other, key)).toBe(200);
    await one.control("POST", `/api/user/${id}/credit`, {
      micros: -20 * priceMicros,
      reason: "all",
    });
    expect([await ask(one, key), await ask(other, key)]).toEqual([402, 402]);
    expect(await spentOf(one, id)).toBe(priceMicros);
  });
});

describe("a node that others have called dead", () => {
  test("cannot settle what it served, and goes on under another name", async () => {
    const { id, key } = await customer(2 * priceMicros);
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    vendor.script = async (_request, reply) => {
      reply.stream();
      reply.event(delta({ content: "Yes" }));
      begun.resolve();
      await go.promise;
      reply.end();
    };
    const body = { ...chatBody("flat"), stream: true };
    const response = await other.post("/v1/chat/completions", body, key);
    const reader = response.body?.getReader();
    await reader?.read();
    await begun.promise;
    other.signal("SIGSTOP");
    try {
      const entry = await eventually("the void", async () => {
        const [row] = await rows(
          `select kind, reason from sluice.entry where account_id = '${id}' and kind <> 'grant'`,
        );
        return row;
      });
      expect(entry).toEqual({ kind: "void", reason: "recovered" });
    } finally {
      vendor.script = (_request, reply) => reply.json(completion("Yes."));
      other.signal("SIGCONT");
      go.resolve();
    }
    let last = "";
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      last = new TextDecoder().decode(piece.value);
    }
    expect(last).toContain("nothing was charged");
    expect(await spentOf(one, id)).toBe(0);
    await eventually("the node under another name", async () =>
      (await ask(other, key)) === 200 ? true : undefined,
    );
    expect(await ask(one, key)).toBe(200);
    expect(await spentOf(one, id)).toBe(2 * priceMicros);
  });

  test("by kill -9 leaves what it was lent to the others, and the books hold", async () => {
    const { id, key } = await customer(4 * priceMicros);
    expect(await ask(other, key)).toBe(200);
    await other.kill();
    expect(await ask(one, key)).toBe(200);
    await eventually("the rest", async () => ((await ask(one, key)) === 200 ? true : undefined));
    await eventually("the last", async () => ((await ask(one, key)) === 200 ? true : undefined));
    expect(await ask(one, key)).toBe(402);
    expect(await spentOf(one, id)).toBe(4 * priceMicros);
    other = await node(folders[1]);
    const environment = { SLUICE_DATABASE_URL: url, SLUICE_SECRET: clusterSecret };
    using folder = new Folder();
    const verified = await runCommand({ folder: folder.path, environment }, "ledger", "verify");
    expect([verified.code, verified.error]).toEqual([0, ""]);
  });
});
