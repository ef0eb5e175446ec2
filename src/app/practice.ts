// The practice vendors, loaded and started when they are first needed: a gateway with channels of
// its own never pays for them.
import type { Config } from "../config/config.ts";
import { systemClock, systemTimers } from "../core/clock.ts";
import type { ChannelSettings } from "../distribution/channel.ts";
import { sandboxChannels } from "../../sandbox/channels.ts";
import type { Sandbox } from "../../sandbox/server.ts";

export class Practice {
  readonly #isOff: boolean;
  #starting: Promise<Sandbox> | null = null;

  constructor({ sandbox }: Pick<Config, "sandbox">) {
    this.#isOff = sandbox === "off";
  }

  async channels(): Promise<ChannelSettings[]> {
    if (this.#isOff) return [];
    this.#starting ??= start();
    return sandboxChannels((await this.#starting).url);
  }

  async close(): Promise<void> {
    await (await this.#starting)?.close();
  }
}

async function start(): Promise<Sandbox> {
  const { startSandbox } = await import("../../sandbox/server.ts");
  return startSandbox({ port: 0, clock: systemClock, timers: systemTimers });
}
