// Kills, freezes and cuts off nodes under load, and stops their database without a word, with money
// near its end. After every fault all invariants of the book in one snapshot, and everything that
// was acknowledged against its entry; at the end every account is spent to its last micro.
import { verify } from "../../../src/quota/recover.ts";
import { readStill } from "../../../src/store/postgres/read-still.ts";
import { chatBody } from "../../harness/ask.ts";
import { Folder } from "../../harness/folder.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import { clusterSecret } from "../../harness/postgres.ts";
import type { PostgresServer } from "../../harness/postgres/server.ts";
import { completion, delta, usageChunk, Vendor } from "../../harness/vendor.ts";

export interface CampaignReport {
  faults: Record<string, number>;
  statuses: Record<string, number>;
  acknowledged: number;
  violations: string[];
}

interface Payer {
  id: string;
  key: string;
}

const priceMicros = 1000;
const leaseMs = 3000;
const clients = 12;
const database = "campaign";

export class Campaign implements AsyncDisposable {
  readonly report: CampaignReport = { faults: {}, statuses: {}, acknowledged: 0, violations: [] };
  readonly #server: PostgresServer;
  readonly #vendor = new Vendor(async (request, reply) => {
    await Bun.sleep(Math.random() * 40);
    if (request.body["stream"] !== true) return reply.json(completion("Yes."));
    reply.stream();
    reply.event(delta({ role: "assistant", content: "Yes." }));
    reply.event(delta({}, "stop"));
    reply.event(usageChunk());
    reply.event("[DONE]");
    reply.end();
  });
  readonly #nodes: { folder: Folder; gateway: Gateway }[] = [];
  readonly #payers: Payer[] = [];
  /** Requests whose answer came whole. */
  readonly #acknowledged: string[] = [];
  #isOver = false;

  constructor(server: PostgresServer) {
    this.#server = server;
  }

  async open(nodes: number): Promise<void> {
    await this.#server.ask("postgres", `create database ${database}`);
    for (let at = 0; at < nodes; at++) {
      const folder = new Folder();
      this.#nodes.push({ folder, gateway: await this.#start(folder) });
    }
    const { gateway } = this.#node(0);
    await gateway.control("POST", "/api/price", { model: "flat", call_micros: priceMicros });
    const channel = this.#vendor.channel({ name: "only", models: ["flat"] });
    await gateway.control("POST", "/api/channel", channel);
    for (let at = 0; at < 8; at++) {
      this.#payers.push(await gateway.customer(at === 0 ? 1e9 : priceMicros * (20 + at * 10)));
    }
    // Every node knows of the channel within a second or so.
    await Bun.sleep(2000);
  }

  async run(ms: number): Promise<void> {
    const endsAtMs = performance.now() + ms;
    const running = Array.from({ length: clients }, () => this.#client());
    for (let round = 0; performance.now() < endsAtMs; round++) {
      await Bun.sleep(300 + Math.random() * 700);
      await this.#fault(round);
      await this.#check(`round ${round}`);
    }
    this.#isOver = true;
    await Promise.all(running);
    await Bun.sleep(leaseMs * 3);
    await this.#spendAll();
    await this.#check("at the end");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { gateway, folder } of this.#nodes) {
      await gateway.kill();
      folder[Symbol.dispose]();
    }
    this.#vendor[Symbol.dispose]();
  }

  async #start(folder: Folder): Promise<Gateway> {
    return await startGateway({
      folder: folder.path,
      config: `sandbox: "off"\njournal: { lease_ms: ${leaseMs} }\n`,
      environment: {
        SLUICE_DATABASE_URL: this.#server.url(database),
        SLUICE_SECRET: clusterSecret,
      },
    });
  }

  #node(at: number) {
    const node = this.#nodes[at % this.#nodes.length];
    if (!node) throw new Error("there is no node");
    return node;
  }

  #anyNode() {
    return this.#node(Math.floor(Math.random() * this.#nodes.length));
  }

  async #client(): Promise<void> {
    while (!this.#isOver) {
      const payer = this.#payers[Math.random() < 0.4 ? 0 : Math.floor(Math.random() * 8)];
      const status = payer ? await this.#ask(payer, Math.random() < 0.4) : "none";
      this.report.statuses[status] = (this.report.statuses[status] ?? 0) + 1;
      if (status === "402" && payer === this.#payers[0]) {
        this.report.violations.push("the rich account was refused");
      }
      if (status !== "200") await Bun.sleep(30);
    }
  }

  async #ask({ key }: Payer, stream: boolean): Promise<string> {
    try {
      const { gateway } = this.#anyNode();
      const body = { ...chatBody("flat"), stream };
      const response = await gateway.post("/v1/chat/completions", body, key);
      const text = await response.text();
      const isWhole = response.status === 200 && (!stream || text.includes("[DONE]"));
      const id = response.headers.get("x-request-id");
      if (isWhole && id !== null) this.#acknowledged.push(id);
      return isWhole ? "200" : response.status === 200 ? "cut" : String(response.status);
    } catch {
      return "no answer";
    }
  }

  async #fault(round: number): Promise<void> {
    const node = this.#anyNode();
    const { faults } = this.report;
    const note = (name: string) => (faults[name] = (faults[name] ?? 0) + 1);
    if (round % 10 === 7) {
      note("database stopped at once");
      await this.#server.stopAtOnce();
      await this.#server.begin();
    } else if (round % 10 === 4) {
      note("frozen beyond its lease");
      node.gateway.signal("SIGSTOP");
      await Bun.sleep(leaseMs * 2.5);
      node.gateway.signal("SIGCONT");
    } else if (round % 3 === 1) {
      note("connections cut");
      await this.#server.ask(
        "postgres",
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
      );
    } else {
      note("kill -9");
      await node.gateway.kill();
      node.gateway = await this.#start(node.folder);
    }
  }

  async #check(when: string): Promise<void> {
    const ids = this.#acknowledged.splice(0);
    const broken = await readStill(this.#server.url(database), async (read) => {
      const violations = await verify(read);
      const lists = ids.map((id) => `'${id}'`).join(", ");
      const sql = `select id from entry where kind = 'post' and micros = ${priceMicros}
        and id in (${lists || "''"})`;
      const posted = new Set((await read({ sql, parameters: [] })).map(({ id }) => id));
      const lost = ids.filter((id) => !posted.has(id));
      return [...violations.map((one) => JSON.stringify(one)), ...lost.map((id) => `lost ${id}`)];
    });
    this.report.acknowledged += ids.length;
    this.report.violations.push(...broken.map((text) => `${when}: ${text}`));
  }

  /** From any node, and not one micro more. */
  async #spendAll(): Promise<void> {
    for (const payer of this.#payers.slice(1)) {
      for (let tries = 0; tries < 200; tries++) {
        const [row] = await this.#server.ask(
          database,
          `select available_micros as left from account_balance where account_id = '${payer.id}'`,
        );
        if (Number(row?.["left"]) < priceMicros) break;
        await this.#ask(payer, false);
      }
      const status = await this.#ask(payer, false);
      if (status !== "402") this.report.violations.push(`${payer.id} beyond its end: ${status}`);
    }
  }
}
