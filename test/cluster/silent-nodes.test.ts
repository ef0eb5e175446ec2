// Nodes that nothing is heard of: they may be dead, or only unable to say that they live. Nobody
// is refused for what they have, and nobody who has just started calls them dead.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chatBody } from "../harness/ask.ts";
import { eventually } from "../harness/books.ts";
import { Folder } from "../harness/folder.ts";
import { startGateway, type Gateway, type GatewayOptions } from "../harness/gateway.ts";
import { addFlatModel } from "../harness/nodes/flat-model.ts";
import {
  clusterSecret,
  dropDatabase,
  newDatabase,
  openDatabase,
  sharedPostgres,
} from "../harness/postgres.ts";
import { completion, Vendor } from "../harness/vendor.ts";
import type { Store } from "../../src/store/store.ts";

const priceMicros = 1000;
/** Longer than any of these tests: nobody's lease runs out by itself. */
const leaseMs = 600_000;
const silent = "node_that_is_silent";

let url: string;
let store: Store;
let vendor: Vendor;
let one: Gateway;
let other: Gateway;
const folders = [new Folder(), new Folder()] as const;

/** A node that is killed has a process of its own. */
const node = (folder: Folder, options: GatewayOptions = {}) =>
  startGateway({
    ...options,
    config: `sandbox: "off"\njournal: { lease_ms: ${leaseMs} }\n`,
    environment: { SLUICE_DATABASE_URL: url, SLUICE_SECRET: clusterSecret },
    folder: folder.path,
  });

const ask = (gateway: Gateway, key: string) =>
  gateway.post("/v1/chat/completions", chatBody("flat"), key);

beforeAll(async () => {
  url = await newDatabase();
  store = await openDatabase(url);
  // Its lease has run out before anybody is there, as after a long outage of the database.
  await store.turns?.join(silent, 1, { name: "silent", version: "1" });
  vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
  [one, other] = await Promise.all([node(folders[0]), node(folders[1], { isProcess: true })]);
  await addFlatModel([one, other], vendor, priceMicros);
});

afterAll(async () => {
  for (const gateway of [one, other]) await gateway.stop();
  await store.close();
  vendor[Symbol.dispose]();
  for (const folder of folders) folder[Symbol.dispose]();
  await dropDatabase(url);
});

test("a node that starts calls nobody dead whose lease could merely not be renewed", async () => {
  const turn = { node: silent, seq: 1, ttlMs: leaseMs, document: "{}" };
  expect(await store.turns?.take(turn)).toMatchObject({ again: false });
});

test("what a node holds that lives is refused to others, and what one holds that died is not", async () => {
  const payer = await one.customer(priceMicros);
  await eventually("the key on the other node", async () =>
    (await other.get("/v1/models", payer.key)).status === 200 ? true : undefined,
  );
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  vendor.script = async (_request, reply) => {
    begun.resolve();
    await over.promise;
    reply.json(completion("Yes."));
  };
  const cut = ask(other, payer.key).catch(() => "cut");
  await begun.promise;
  expect((await ask(one, payer.key)).status).toBe(402);
  await other.kill();
  over.resolve();
  expect(await cut).toBe("cut");
  const early = await ask(one, payer.key);
  expect([early.status, early.headers.get("retry-after")]).toEqual([503, "1"]);
  const dead = readFileSync(join(folders[1].path, "node"), "utf8");
  other = await node(folders[1]);
  const [row] = await (
    await sharedPostgres()
  ).ask(
    new URL(url).pathname.slice(1),
    `select state, (select count(*) from ledger_slice where node_id = id) as slices from node
      where id = '${dead}'`,
  );
  expect(row).toEqual({ state: "dead", slices: 0 });
  expect((await ask(one, payer.key)).status).toBe(200);
  expect((await ask(other, payer.key)).status).toBe(402);
});
