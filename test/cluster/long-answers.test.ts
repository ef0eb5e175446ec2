// Requests that are answered whole, on a node that is killed while their vendors work: whatever a
// vendor has had for a second is given back, booked as a possible loss and on the usage log.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chatBody } from "../harness/ask.ts";
import { eventually } from "../harness/books.ts";
import { Folder } from "../harness/folder.ts";
import { startGateway, type Gateway, type GatewayOptions } from "../harness/gateway.ts";
import { addFlatModel } from "../harness/nodes/flat-model.ts";
import { clusterSecret, dropDatabase, newDatabase, sharedPostgres } from "../harness/postgres.ts";
import { Vendor } from "../harness/vendor.ts";

const priceMicros = 1000;
const leaseMs = 2000;
/** Age from which on the books promise to know of a request. */
const knownAfterMs = 1000;

const contents = [{ role: "user", parts: [{ text: "Hello" }] }];
/** A request of each kind that waits for a whole answer. */
const kinds: readonly (readonly [path: string, body: object])[] = [
  ["/v1/chat/completions", chatBody("flat")],
  ["/v1/completions", { model: "flat", prompt: "Hello" }],
  ["/v1/messages", chatBody("flat", { max_tokens: 10 })],
  ["/v1/responses", { model: "flat", input: "Hello" }],
  ["/v1beta/models/flat:generateContent", { contents }],
  ["/v1/embeddings", { model: "flat", input: "Hello" }],
  ["/v1/images/generations", { model: "imageA-1", prompt: "A sluice" }],
];

let url: string;
let vendor: Vendor;
let one: Gateway;
let other: Gateway;
const folders = [new Folder(), new Folder()];

const rows = async (sql: string) =>
  await (await sharedPostgres()).ask(new URL(url).pathname.slice(1), sql);

beforeAll(async () => {
  url = await newDatabase();
  // It has each request and says nothing.
  vendor = new Vendor(() => {});
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
  const models = ["imageA-1"];
  await one.control("POST", "/api/channel", vendor.channel({ name: "pictures", models }));
  await addFlatModel([one, other], vendor, priceMicros);
});

afterAll(async () => {
  for (const gateway of [one, other]) await gateway.stop();
  vendor[Symbol.dispose]();
  for (const folder of folders) folder[Symbol.dispose]();
  await dropDatabase(url);
});

test("whole answers that die with their node leave their void, their loss and their record", async () => {
  const payer = await one.customer(1_000_000);
  await eventually("the key on the other node", async () =>
    (await other.get("/v1/models", payer.key)).status === 200 ? true : undefined,
  );
  const ends = kinds.map(([path, body]) => other.post(path, body, payer.key).catch(() => "cut"));
  await eventually("the vendor's work", async () =>
    vendor.requests.length === kinds.length ? true : undefined,
  );
  await Bun.sleep(knownAfterMs);
  await other.kill();
  expect(new Set(await Promise.all(ends))).toEqual(new Set(["cut"]));
  const entries = await eventually("all of the voids", async () => {
    const found = await rows(`select id, kind, reason, held_micros, loss_micros from sluice.entry
      where account_id = '${payer.id}' and kind <> 'grant' order by id`);
    return found.length === kinds.length ? found : undefined;
  });
  for (const entry of entries) {
    expect(entry).toMatchObject({ kind: "void", reason: "recovered" });
    expect(entry["loss_micros"]).toBe(entry["held_micros"]);
    expect(Number(entry["loss_micros"])).toBeGreaterThan(0);
  }
  // The record is in the commit of the void: who sees the one sees the other.
  const logged = await rows(`select id, error_code from sluice_log.usage_log
    where account_id = '${payer.id}' order by id`);
  expect(logged).toEqual(entries.map(({ id }) => ({ id, error_code: "interrupted" })));
  const [left] = await rows(`select available_micros, held_micros from sluice.account_balance
    where account_id = '${payer.id}'`);
  expect(left).toEqual({ available_micros: 1_000_000, held_micros: 0 });
});
