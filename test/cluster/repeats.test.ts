// Text under one Idempotency-Key on two nodes of one database: one of them makes the answer, both
// give it, and the death of the one that makes it frees the key with its money.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chatBody } from "../harness/ask.ts";
import { balanceOf, eventually } from "../harness/books.ts";
import { Folder } from "../harness/folder.ts";
import { startGateway, type Gateway, type GatewayOptions } from "../harness/gateway.ts";
import { addFlatModel } from "../harness/nodes/flat-model.ts";
import { clusterSecret, dropDatabase, newDatabase, sharedPostgres } from "../harness/postgres.ts";
import { completion, delta, usageChunk, Vendor } from "../harness/vendor.ts";

setDefaultTimeout(60_000);

const priceMicros = 1000;
const leaseMs = 2000;

let url: string;
let vendor: Vendor;
let one: Gateway;
let other: Gateway;
const folders = [new Folder(), new Folder()];

beforeAll(async () => {
  url = await newDatabase();
  vendor = new Vendor((_request, reply) => reply.cut());
  const start = (folder: Folder | undefined, options: GatewayOptions = {}) =>
    startGateway({
      ...options,
      config: `sandbox: "off"\njournal: { lease_ms: ${leaseMs} }\n`,
      environment: { SLUICE_DATABASE_URL: url, SLUICE_SECRET: clusterSecret },
      ...(folder && { folder: folder.path }),
    });
  // The other is killed.
  const starting = [start(folders[0]), start(folders[1], { isProcess: true })] as const;
  [one, other] = await Promise.all(starting);
  await addFlatModel([one, other], vendor, priceMicros);
});

afterAll(async () => {
  await one.stop();
  vendor[Symbol.dispose]();
  for (const folder of folders) folder[Symbol.dispose]();
  await dropDatabase(url);
});

async function newPayer() {
  const payer = await one.customer(1_000_000);
  await eventually("the key on the other node", async () =>
    (await other.get("/v1/models", payer.key)).status === 200 ? true : undefined,
  );
  return payer;
}

async function ask(node: Gateway, key: string, stream: boolean, last?: string) {
  const response = await fetch(`${node.url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": "once",
      ...(last !== undefined && { "last-event-id": last }),
    },
    body: JSON.stringify(chatBody("flat", { stream })),
  });
  const { status, headers } = response;
  const isReplay = headers.get("idempotent-replayed") === "true";
  const [id, place] = [headers.get("x-request-id"), headers.get("last-event-id")];
  return { status, isReplay, id, place, text: await response.text() };
}

/** Answers that end when the gate opens. */
function answers(gate: Promise<void> = Promise.resolve()): void {
  vendor.script = async ({ body }, reply) => {
    if (body["stream"] !== true) {
      await gate;
      return reply.json(completion("The weir held."));
    }
    reply.stream();
    reply.event(delta({ role: "assistant", content: "The weir held." }));
    await gate;
    for (const event of [delta({}, "stop"), usageChunk(), "[DONE]"]) reply.event(event);
    reply.end();
  };
}

const usedBy = async ({ id }: { id: string }) => (await balanceOf(one, id)).used_micros;
const calls = () => vendor.requests.length;

test.each([false, true])(
  "T21 the other node gives what one has made (stream: %p)",
  async (stream) => {
    const payer = await newPayer();
    const before = calls();
    answers();
    const first = await ask(one, payer.key, stream);
    const again = await ask(other, payer.key, stream);
    expect([first.status, first.isReplay]).toEqual([200, false]);
    expect(again).toMatchObject({ status: 200, isReplay: true, text: first.text });
    expect([calls(), await usedBy(payer)]).toEqual([before + 1, priceMicros]);
  },
);

test("T21 the other node goes on with a stream where it was cut", async () => {
  const payer = await newPayer();
  const before = calls();
  answers();
  const first = await ask(one, payer.key, true);
  const events = first.text.split(/(?<=\n\n)/);
  const place = `${first.id}/2`;
  const rest = await ask(other, payer.key, true, place);
  expect(rest).toMatchObject({ status: 200, isReplay: true, place });
  expect(rest.text).toBe(events.slice(2).join(""));
  expect([calls(), await usedBy(payer)]).toEqual([before + 1, priceMicros]);
});

test.each([false, true])("T21 fifty on both at once are made once (stream: %p)", async (stream) => {
  const payer = await newPayer();
  const before = calls();
  const gate = Promise.withResolvers<void>();
  answers(gate.promise);
  const asked = Array.from({ length: 50 }, (_, at) => ask(at % 2 ? one : other, payer.key, stream));
  await eventually("the vendor", async () => calls() > before || undefined);
  gate.resolve();
  const all = await Promise.all(asked);
  expect(new Set(all.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(all.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
  expect([calls(), await usedBy(payer)]).toEqual([before + 1, priceMicros]);
});

test("T21 no text of an answer stands in the database as it was said", async () => {
  const database = await sharedPostgres();
  const found = await database.ask(
    new URL(url).pathname.slice(1),
    "select count(*)::int as kept, sum((sealed like '%weir%')::int)::int as plain from sluice.kept_answer",
  );
  expect(found[0]?.["plain"]).toBe(0);
  expect(Number(found[0]?.["kept"])).toBeGreaterThan(0);
});

test("T21 a node that dies with it frees its key: who waits on the other has it made anew", async () => {
  const payer = await newPayer();
  const before = calls();
  const never = Promise.withResolvers<void>();
  answers(never.promise);
  const lost = ask(other, payer.key, false).catch(() => "cut");
  await eventually("the vendor", async () => calls() > before || undefined);
  const waiting = ask(one, payer.key, false);
  answers();
  await other.kill();
  expect(await lost).toBe("cut");
  const { status, isReplay } = await waiting;
  expect([status, isReplay]).toEqual([200, false]);
  expect([calls(), await usedBy(payer)]).toEqual([before + 2, priceMicros]);
});
