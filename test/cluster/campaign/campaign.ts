// Four nodes under load with money near its end: they are killed, frozen and cut off, their
// database is stopped or dies for good, its replies are lost, and Redis with it. After every fault
// the books, and everything that anybody was told, in one moment.
import { chatBody, tally } from "../../harness/ask.ts";
import { between } from "../../crash/lives.ts";
import { checkBooks, checkEnd, readStranded, sumBooks } from "./books.ts";
import { judgeBudget, runBudgetLane, runRenewals, spendBudgets } from "./budgets.ts";
import {
  askOnce,
  flatMicros,
  longModel,
  plainWish,
  runChatLane,
  topUp,
  type LoadNeeds,
} from "./load.ts";
import type { CampaignNode } from "./node.ts";
import type { Fault } from "./plan.ts";
import { Seen, type Payer } from "./seen.ts";
import type { Stage } from "./stage.ts";
import { runTaskLane } from "./task-load.ts";

export interface CampaignReport {
  seconds: number;
  faults: Record<string, number>;
  checks: number;
  statuses: Record<string, number>;
  acknowledged: number;
  acknowledgedMicros: number;
  tasks: number;
  credits: number;
  refusalsChecked: number;
  budgetRefusals: number;
  windows: number;
  spentToTheEnd: number;
  sums: Record<string, unknown>;
  violations: string[];
}

const chatLanes = 10;
const budgetLanes = 3;
const topUpsAtOnce = 2;
const wellMin = 2;
const quietMsMax = 150_000;
const lossMsMax = 1500;
const longAtOnce = 4;
/** Twice what the books promise to know of: a machine may be busy. */
const longMs = 2000;

export class Campaign {
  readonly violations: string[] = [];
  readonly seen = new Seen();
  readonly #stage: Stage;
  readonly #faults = new Map<string, number>();
  readonly #background = new Set<Promise<void>>();
  readonly #running: Promise<void>[];
  readonly #startedMs = performance.now();
  readonly #needs: LoadNeeds;
  #isOver = false;
  #checks = 0;
  #lost: () => void = () => {};

  constructor(stage: Stage, taskLanes: number) {
    this.#stage = stage;
    const { payers } = stage;
    const { seen } = this;
    const anyNode = () => stage.anyNode();
    const strandedMicros = (accountId: string, sinceMs: number) =>
      readStranded(stage.databases, accountId, sinceMs);
    this.#needs = {
      payers,
      seen,
      anyNode,
      strandedMicros,
      judgeBudget: (refusal, sinceMs) => judgeBudget(stage.databases, refusal, sinceMs),
      isOver: () => this.#isOver,
    };
    this.#running = [
      ...Array.from({ length: chatLanes }, () => runChatLane(this.#needs)),
      ...Array.from({ length: taskLanes }, () => runTaskLane(this.#needs)),
      ...Array.from({ length: budgetLanes }, () => runBudgetLane(this.#needs)),
      runRenewals(this.#needs, stage.budgets),
    ];
  }

  get kills(): number {
    return this.#faults.get("node killed") ?? 0;
  }

  /** An answer of the database was lost on the way. */
  noteLoss(): void {
    this.#note("replies lost");
    this.#lost();
  }

  async round(name: string, faults: readonly Fault[]): Promise<void> {
    for (let count = 0; count < topUpsAtOnce; count++) this.#behind(this.#topUp());
    for (const fault of faults) {
      await Bun.sleep(between(100, 500));
      await this.#run(fault);
      await this.#check(`${name}, ${fault}`);
    }
  }

  /** Everything comes to its end; then each account is spent to its last micro from any node. */
  async end(): Promise<CampaignReport> {
    await this.#settle();
    await this.#check("at rest");
    const spentToTheEnd = this.violations.length === 0 ? await this.#spendAll() : 0;
    if (this.violations.length === 0) {
      this.violations.push(...(await spendBudgets(this.#needs, this.#stage.budgets)));
    }
    await this.#check("at the end");
    this.violations.push(...(await checkEnd(this.#stage.databases, this.seen)));
    for (const [mark, count] of tally(await this.#stage.marksMade())) {
      if (count > 1) this.violations.push(`${mark} was made ${count} times`);
    }
    return await this.report(spentToTheEnd);
  }

  async report(spentToTheEnd = 0): Promise<CampaignReport> {
    const { seen } = this;
    return {
      seconds: Math.round((performance.now() - this.#startedMs) / 1000),
      faults: Object.fromEntries(this.#faults),
      checks: this.#checks,
      statuses: Object.fromEntries([...seen.statuses].toSorted()),
      acknowledged: seen.acknowledged,
      acknowledgedMicros: seen.acknowledgedMicros,
      tasks: seen.tasks.length,
      credits: seen.credits.length,
      refusalsChecked: seen.refusalsChecked,
      budgetRefusals: seen.budgetRefusals,
      windows: seen.windows,
      spentToTheEnd,
      sums: await sumBooks(this.#stage.databases),
      violations: [...this.violations, ...seen.odd],
    };
  }

  /** Nothing runs on after an early end. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#running, ...this.#background]);
  }

  #note(fault: string): void {
    this.#faults.set(fault, (this.#faults.get(fault) ?? 0) + 1);
  }

  async #run(fault: Fault): Promise<void> {
    const { databases, redis } = this.#stage;
    if (fault === "replies lost") return await this.#loseReply();
    if (fault === "node killed") await this.#kill(await this.#wellNode());
    else if (fault === "killed amid long answers") await this.#killLate();
    else if (fault === "frozen beyond its lease") this.#behind((await this.#wellNode()).freeze());
    else if (fault === "cut off beyond its lease") this.#behind((await this.#wellNode()).cutOff());
    else if (fault === "connections cut") for (const { wire } of this.#stage.nodes) wire.cut();
    else if (fault === "database stopped at once") await databases.stopAtOnce();
    else if (fault === "failover to the standby") {
      if (!(await databases.failOver())) return;
    } else if (redis) {
      await redis.kill();
      await Bun.sleep(between(0, 400));
      await redis.start();
    } else return;
    this.#note(fault);
  }

  async #kill(node: CampaignNode): Promise<void> {
    await node.kill();
    this.#behind(node.start());
  }

  /** With nothing else amiss: each of them has to be in the books. */
  async #killLate(): Promise<void> {
    while (this.#background.size > 0) await Promise.all(this.#background);
    const node = await this.#wellNode();
    const before = this.#stage.longBegun;
    // A node that is short of slices may refuse or keep them waiting: then they are asked again.
    for (const endsAtMs = performance.now() + quietMsMax; this.#stage.longBegun === before;) {
      if (performance.now() > endsAtMs) throw this.#stuck();
      await Promise.race([this.#askLong(node), Bun.sleep(longMs)]);
    }
    await Bun.sleep(longMs / 2);
    const begun = this.#stage.longBegun - before;
    await Bun.sleep(longMs);
    await this.#kill(node);
    this.seen.diedLate += begun;
  }

  /** Ends when all of them were refused: a vendor that has begun never answers. */
  async #askLong({ gateway }: CampaignNode): Promise<void> {
    const { key = "" } = this.#stage.payers[0]?.keys[0] ?? {};
    const ask = () => gateway?.post("/v1/chat/completions", chatBody(longModel), key);
    await Promise.all(Array.from({ length: longAtOnce }, () => ask()?.catch(() => undefined)));
    await Bun.sleep(100);
  }

  /** Noted when it happens, which is with the next commit of the node. */
  async #loseReply(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#lost = resolve;
    (await this.#wellNode()).wire.lose(Math.random() < 0.75 ? "after" : "before");
    await Promise.race([promise, Bun.sleep(lossMsMax)]);
  }

  async #wellNode(): Promise<CampaignNode> {
    for (const endsAtMs = performance.now() + quietMsMax; ;) {
      const well = this.#stage.nodes.filter(({ isWell }) => isWell);
      const node = well[Math.floor(Math.random() * well.length)];
      if (node && well.length >= wellMin) return node;
      if (performance.now() > endsAtMs) throw this.#stuck();
      await Bun.sleep(20);
    }
  }

  #stuck(): Error {
    const states = this.#stage.nodes.map((node) => node.describe());
    return new Error(
      `the nodes do not come back: ${states.join("; ")} ${this.violations[0] ?? ""}`,
    );
  }

  #behind(work: Promise<void>): void {
    const noted = work
      .catch((error: unknown) => void this.violations.push(`it broke: ${String(error)}`))
      .finally(() => this.#background.delete(noted));
    this.#background.add(noted);
  }

  async #topUp(): Promise<void> {
    const payer = this.#poor[Math.floor(Math.random() * this.#poor.length)];
    if (payer) await topUp(this.#needs, payer, Math.round(between(1, 9 * flatMicros)));
  }

  get #poor(): readonly Payer[] {
    return this.#stage.payers.filter(({ isRich }) => !isRich);
  }

  async #check(when: string): Promise<void> {
    this.#checks++;
    const broken = await checkBooks(this.#stage.databases, this.seen);
    this.violations.push(...broken.map((text) => `${when}: ${text}`));
  }

  async #settle(): Promise<void> {
    await this.stop();
    const { databases } = this.#stage;
    const sql = "select count(*) as held from hold";
    for (const endsAtMs = performance.now() + quietMsMax; ;) {
      const [row] = await databases.ask(sql);
      if (Number(row?.["held"]) === 0) return;
      if (performance.now() > endsAtMs) return;
      await Bun.sleep(200);
    }
  }

  async #spendAll(): Promise<number> {
    const spent = await Promise.all(this.#poor.map((payer) => this.#spend(payer)));
    return spent.filter((isSpent) => isSpent).length;
  }

  /** From any node, and not one micro more. */
  async #spend(payer: Payer): Promise<boolean> {
    const odd = (await this.#left(payer)) % flatMicros;
    if (odd > 0) await topUp(this.#needs, payer, flatMicros - odd);
    for (let left = await this.#left(payer), tries = 0; left > 0; left = await this.#left(payer)) {
      if (++tries > 50 + (3 * left) / flatMicros) {
        this.violations.push(`${payer.id} cannot spend its last ${left}`);
        return false;
      }
      await askOnce(this.#needs, payer, plainWish);
    }
    const status = await askOnce(this.#needs, payer, plainWish);
    if (status !== "402") this.violations.push(`${payer.id} beyond its end: ${status}`);
    return status === "402";
  }

  async #left({ id }: Payer): Promise<number> {
    const [row] = await this.#stage.databases.ask(
      `select available_micros as micros from account_balance where account_id = '${id}'`,
    );
    return Number(row?.["micros"]);
  }
}
