// A database that dies without a word, under a gateway that goes on: nothing that was answered is
// lost, nothing is charged twice, and nobody has to start anything anew.
import { expect, test } from "bun:test";
import { chatBody } from "../harness/ask.ts";
import { balanceOf, eventually } from "../harness/books.ts";
import { runCommand } from "../harness/command.ts";
import { rootToken, startProcess, type Gateway } from "../harness/gateway.ts";
import { clusterSecret } from "../harness/postgres.ts";
import { findPostgres } from "../harness/postgres/find.ts";
import { PostgresServer } from "../harness/postgres/server.ts";
import { completion, Vendor } from "../harness/vendor.ts";

const rounds = 2;
const msMax = 240_000;
const callMicros = 5;

/** Parts in /readyz, once it answers so. */
async function partsAt({ url }: Gateway, status: number): Promise<Record<string, string>> {
  return await eventually(`readyz ${status}`, async () => {
    const response = await fetch(`${url}/readyz`);
    const { parts } = (await response.json()) as { parts: Record<string, string> };
    return response.status === status ? parts : undefined;
  });
}

test(
  "a database that is stopped at once under load loses no charge and makes none twice",
  async () => {
    const programs = await findPostgres();
    if ("missing" in programs) throw new Error(programs.missing);
    await using server = await PostgresServer.start(programs.bin);
    await server.ask("postgres", "create database outage");
    const environment = {
      SLUICE_DATABASE_URL: server.url("outage"),
      SLUICE_SECRET: clusterSecret,
    };
    using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
    await using gateway = await startProcess({ config: 'sandbox: "off"\n', environment });
    await gateway.control("POST", "/api/channel", vendor.channel({ name: "only", models: ["m"] }));
    await gateway.control("POST", "/api/price", { model: "m", call_micros: callMicros });
    const payer = await gateway.customer(1_000_000);
    /** Zero for a request that was cut off. */
    const ask = async () =>
      await gateway.post("/v1/chat/completions", chatBody("m"), payer.key).then(
        ({ status }) => status,
        () => 0,
      );
    let [served, isDone] = [0, false];
    const work = async () => {
      while (!isDone) if ((await ask()) === 200) served++;
    };
    const working = [work(), work(), work(), work()];
    for (let round = 0; round < rounds; round++) {
      const before = served;
      await eventually("answers", async () => (served > before + 10 ? true : undefined));
      await server.stopAtOnce();
      await server.begin();
    }
    const before = served;
    await eventually("answers again", async () => (served > before + 10 ? true : undefined));
    isDone = true;
    await Promise.all(working);
    const { used_micros: used } = await balanceOf(gateway, payer.id);
    const [row] = await server.ask(
      "outage",
      "select count(*) as posts, sum(micros)::bigint as micros from entry where kind = 'post'",
    );
    expect(row).toEqual({ posts: used / callMicros, micros: used });
    // Some may have been charged whose answer was refused or cut off, none the other way round.
    expect(used).toBeGreaterThanOrEqual(served * callMicros);
    const verified = await runCommand({ folder: gateway.folder, environment }, "ledger", "verify");
    expect([verified.code, verified.out]).toEqual([0, expect.stringMatching(/^ok: /)]);
    await server.stopAtOnce();
    expect(await partsAt(gateway, 503)).toMatchObject({ gateway: "ready", memory: "ready" });
    await eventually("the database missed", async () =>
      (await partsAt(gateway, 503))["database"] === "the database does not answer"
        ? true
        : undefined,
    );
    // Rows that have to be looked up can be asked for again a little later; it is nobody's fault.
    const read = await gateway.get("/v1/videos/task_of_nobody", payer.key);
    const listed = await gateway.get("/api/user", rootToken);
    for (const { status, headers } of [read, listed]) {
      expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    }
    await server.begin();
    expect(await partsAt(gateway, 200)).toEqual({
      gateway: "ready",
      books: "ready",
      database: "ready",
      lease: "ready",
      memory: "ready",
    });
  },
  msMax,
);
