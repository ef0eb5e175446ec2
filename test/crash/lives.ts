// The lives of one data folder: a gateway starts on it, dies, and the next one starts on what it
// left.
import { spawnGateway, startProcess, type Gateway } from "../harness/gateway.ts";

export interface LivesOptions {
  folder: string;
  config: string;
}

const startUpKillMsMax = 600;

export class Lives {
  readonly #options: LivesOptions;
  /** Processes that were killed while they were starting. */
  startUpKills = 0;
  /** Time of each start until the gateway listened. */
  readonly startUpsMs: number[] = [];

  constructor(options: LivesOptions) {
    this.#options = options;
  }

  async start(): Promise<Gateway> {
    const startedAtMs = performance.now();
    const gateway = await startProcess(this.#options);
    this.startUpsMs.push(performance.now() - startedAtMs);
    return gateway;
  }

  async killWhileStarting(): Promise<void> {
    const child = spawnGateway(this.#options, this.#options.folder);
    await Bun.sleep(between(0, startUpKillMsMax));
    child.kill("SIGKILL");
    await child.exited;
    this.startUpKills++;
  }
}

export function between(least: number, most: number): number {
  return least + Math.random() * (most - least);
}
