// The kill -9 campaign: the gateway is killed under load again and again on one data folder, and
// after each restart its books must agree with what its clients got.
import { eventually } from "../harness/books.ts";
import { Folder } from "../harness/folder.ts";
import type { Gateway } from "../harness/gateway.ts";
import { checkBooks, checkIntegrity } from "./checks.ts";
import { between, Lives } from "./lives.ts";
import { runLoad, type Customer, type Seen } from "./load.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

export interface CampaignOptions {
  rounds: number;
  /** Told after each round. */
  progress?(round: number, report: Report): void;
}

export interface Report {
  rounds: number;
  /** Processes that were killed while they were starting. */
  startUpKills: number;
  acknowledged: number;
  streamed: number;
  refused: number;
  credits: number;
  /** Windows of budgets that something was charged under. */
  caps: number;
  postedMicros: number;
  servedMicros: number;
  lost: string[];
  violations: string[];
  /** Time of each start until the gateway listened. */
  startUpsMs: number[];
}

const lanes = 8;
const answersMin = 4;
const killAfterMsMin = 50;
const killAfterMsMax = 400;
const startUpKillEvery = 4;
/** The budgets of everyone: the first ends before the campaign does, the last only counts. */
const budgets = [
  { name: "hard", mode: "hard", limit_micros: 40_000 },
  { name: "ample", mode: "hard", limit_micros: 1_000_000_000, scope: "key" },
  { name: "stop", mode: "stop", limit_micros: 60_000 },
  { name: "watch", mode: "watch", limit_micros: 100 },
] as const;
/** A rich one, one that runs dry, and one that has nothing but what it is credited. */
const quotasMicros = [1_000_000_000, 20_000, 0];

export async function runCampaign({ rounds, progress }: CampaignOptions): Promise<Report> {
  using folder = new Folder();
  using upstream = startUpstream();
  const campaign = new Campaign(folder.path, upstream);
  for (let round = 1; round <= rounds; round++) {
    if (round % startUpKillEvery === 0) await campaign.lives.killWhileStarting();
    await campaign.killUnderLoad();
    progress?.(round, campaign.report());
  }
  await campaign.end();
  return campaign.report();
}

class Campaign {
  readonly #folder: string;
  readonly #upstream: Upstream;
  readonly lives: Lives;
  #customers: Customer[] = [];
  /** Seen in all rounds, and in the one that ran last. */
  readonly #seen = nothingSeen();
  #lately = nothingSeen();
  #rounds = 0;
  #caps = 0;
  #postedMicros = 0;
  readonly #lost: string[] = [];
  readonly #violations: string[] = [];

  constructor(folder: string, upstream: Upstream) {
    this.#folder = folder;
    this.#upstream = upstream;
    const config = `
sandbox: "off"
log: { level: error }
channels:
  - { name: only, type: openai, base_url: "${upstream.vendor.url}", key: sk-crash-campaign,
      models: [m], allow_private: true }
prices:
  - { model: m, input_micros_per_million: 1000000, output_micros_per_million: 2000000 }
`;
    this.lives = new Lives({ folder, config });
  }

  /** Starts, checks what the last death left, loads, kills. */
  async killUnderLoad(): Promise<void> {
    const gateway = await this.#start();
    await this.#check(gateway);
    const stop = new AbortController();
    const load = runLoad({
      gateway,
      customers: this.#customers,
      lanes,
      seen: this.#lately,
      signal: stop.signal,
    });
    await this.#untilAtWork();
    await Bun.sleep(between(killAfterMsMin, killAfterMsMax));
    await gateway.kill();
    stop.abort();
    await load;
    this.#rounds++;
  }

  /** Its time runs from the first answers on: on a slow machine it would be over before them. */
  async #untilAtWork(): Promise<void> {
    const { answers, credits } = this.#lately;
    await eventually("the first answers", async () =>
      answers.length >= answersMin && credits.length > 0 ? true : undefined,
    );
  }

  /** The last look, at everything, and a stop as an operator would make it. */
  async end(): Promise<void> {
    const gateway = await this.#start();
    await this.#check(gateway);
    this.#lately = this.#seen;
    await this.#check(gateway);
    this.#violations.push(...checkIntegrity(this.#folder));
    const code = await gateway.stop();
    if (code !== 0) this.#violations.push(`the last stop ended with ${code}`);
  }

  report(): Report {
    return {
      rounds: this.#rounds,
      startUpKills: this.lives.startUpKills,
      acknowledged: this.#seen.answers.length,
      streamed: this.#seen.streamed,
      refused: this.#seen.refused,
      credits: this.#seen.credits.length,
      caps: this.#caps,
      postedMicros: this.#postedMicros,
      servedMicros: this.#upstream.servedMicros,
      lost: this.#lost,
      violations: this.#violations,
      startUpsMs: this.lives.startUpsMs,
    };
  }

  async #start(): Promise<Gateway> {
    const gateway = await this.lives.start();
    if (this.#customers.length === 0) {
      for (const quota of quotasMicros) this.#customers.push(await gateway.customer(quota));
      await addBudgets(gateway, this.#customers);
    }
    return gateway;
  }

  async #check(gateway: Gateway): Promise<void> {
    const looked = { folder: this.#folder, gateway, customers: this.#customers };
    const found = await checkBooks(looked, this.#lately);
    this.#lost.push(...found.lost);
    this.#violations.push(...found.violations, ...this.#lately.odd);
    this.#postedMicros = found.postedMicros;
    this.#caps = found.caps;
    if (found.postedMicros > this.#upstream.servedMicros) {
      this.#violations.push(`charged ${found.postedMicros}, more than the vendor ever served`);
    }
    if (this.#lately !== this.#seen) add(this.#seen, this.#lately);
    this.#lately = nothingSeen();
  }
}

/** Every request is held under four caps. */
async function addBudgets(gateway: Gateway, customers: readonly Customer[]): Promise<void> {
  for (const { id } of customers) {
    const { username } = await gateway.control<{ username: string }>("GET", `/api/user/${id}`);
    for (const budget of budgets) {
      await gateway.control("POST", "/api/budget", { ...budget, account: username });
    }
  }
}

function nothingSeen(): Seen {
  return { answers: [], streamed: 0, refused: 0, credits: [], odd: [] };
}

function add(total: Seen, more: Seen): void {
  total.answers.push(...more.answers);
  total.credits.push(...more.credits);
  total.streamed += more.streamed;
  total.refused += more.refused;
}
