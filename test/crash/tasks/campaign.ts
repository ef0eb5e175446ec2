// The kill -9 campaign for tasks: the gateway dies while videos and images are asked for, looked
// after and finished. At the end no vendor made one twice, and none is charged, refunded or lost
// wrongly.
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import type { JobLine } from "../../../sandbox/jobs.ts";
import { startSandbox, type Sandbox } from "../../../sandbox/server.ts";
import { eventually } from "../../harness/books.ts";
import { runCommand } from "../../harness/command.ts";
import { Folder } from "../../harness/folder.ts";
import { checkIntegrity } from "../checks.ts";
import { between, Lives } from "../lives.ts";
import type { Customer } from "../load.ts";
import { checkTasks, countOpen, type Finding } from "./checks.ts";
import { nothingSeen, runLoad, type Seen } from "./load.ts";
import { offersConfig } from "./offers.ts";
import { Painters } from "./painters.ts";

export interface TaskCampaignOptions {
  rounds: number;
  /** Told after each round. */
  progress?(round: number, seen: Seen): void;
}

export interface TaskReport extends Finding {
  rounds: number;
  startUpKills: number;
  startUpsMs: number[];
  asked: number;
  accepted: number;
  refused: number;
  /** Creates that were sent again. */
  repeated: number;
  reads: number;
  jobs: number;
}

const acceptedMin = 12;
const killAfterMsMin = 50;
const killAfterMsMax = 800;
const startUpKillEvery = 4;
/** Two rich ones, and one that can only go on when what failed is paid back. */
const quotasMicros = [1_000_000_000, 1_000_000_000, 200_000];
const endMsMax = 60_000;
const lookMs = 100;

export async function runTaskCampaign(options: TaskCampaignOptions): Promise<TaskReport> {
  const { rounds, progress } = options;
  using folder = new Folder();
  await using sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers });
  await using painters = new Painters(sandbox.url);
  const campaign = new Campaign(folder.path, sandbox, painters);
  for (let round = 1; round <= rounds; round++) {
    if (round % startUpKillEvery === 0) await campaign.lives.killWhileStarting();
    await campaign.killUnderLoad();
    progress?.(round, campaign.seen);
  }
  return { rounds, ...(await campaign.end()) };
}

class Campaign {
  readonly lives: Lives;
  readonly seen = nothingSeen();
  readonly #folder: string;
  readonly #sandbox: Sandbox;
  readonly #painters: Painters;
  readonly #customers: Customer[] = [];

  constructor(folder: string, sandbox: Sandbox, painters: Painters) {
    this.#folder = folder;
    this.#sandbox = sandbox;
    this.#painters = painters;
    const config = offersConfig({ sandbox: sandbox.url, painters: painters.url });
    this.lives = new Lives({ folder, config });
  }

  async killUnderLoad(): Promise<void> {
    const gateway = await this.lives.start();
    if (this.#customers.length === 0) {
      for (const quota of quotasMicros) this.#customers.push(await gateway.customer(quota));
    }
    const stop = new AbortController();
    const { seen } = this;
    const customers = this.#customers;
    const before = seen.accepted.length;
    const load = runLoad({ gateway, customers, seen, signal: stop.signal });
    // Its time runs from the first tasks on: on a slow machine it would be over before them.
    await eventually("the first tasks", async () =>
      seen.accepted.length - before >= acceptedMin ? true : undefined,
    );
    await Bun.sleep(between(killAfterMsMin, killAfterMsMax));
    await gateway.kill();
    stop.abort();
    await load;
  }

  /** A last life, in which everything comes to its end; then the books are opened. */
  async end(): Promise<Omit<TaskReport, "rounds">> {
    const gateway = await this.lives.start();
    const open = await this.#waitForEnds();
    const code = await gateway.stop();
    const verified = await runCommand(
      { folder: this.#folder, isProcess: true },
      "ledger",
      "verify",
    );
    const jobs = await this.#jobs();
    const { violations, ...figures } = await checkTasks(this.#folder, this.seen, jobs);
    const { seen, lives } = this;
    return {
      ...figures,
      violations: [
        ...violations,
        ...checkIntegrity(this.#folder),
        ...(open === 0 ? [] : [`${open} tasks have not ended`]),
        ...(code === 0 ? [] : [`the last stop ended with ${code}`]),
        ...(verified.code === 0 ? [] : [`ledger verify: ${verified.out}${verified.error}`]),
      ],
      startUpKills: lives.startUpKills,
      startUpsMs: lives.startUpsMs,
      asked: seen.asked.size,
      accepted: seen.accepted.length,
      refused: seen.refused,
      repeated: seen.repeated,
      reads: seen.reads,
      jobs: jobs.length,
    };
  }

  async #waitForEnds(): Promise<number> {
    const endsAtMs = performance.now() + endMsMax;
    let open = countOpen(this.#folder);
    while (open > 0 && performance.now() < endsAtMs) {
      await Bun.sleep(lookMs);
      open = countOpen(this.#folder);
    }
    return open;
  }

  async #jobs(): Promise<JobLine[]> {
    const response = await fetch(`${this.#sandbox.url}/sandbox/jobs`);
    await this.#painters.settled();
    return [...((await response.json()) as JobLine[]), ...this.#painters.made];
  }
}
