// The practice vendors behind a loopback port, loaded when the first request comes to it: a gateway
// with channels of its own pays for a socket and nothing else.
import type { Server } from "bun";
import type { Config } from "../config/config.ts";
import type { ChannelSettings } from "../distribution/channel.ts";
import type { Machine } from "./machine.ts";
import { rootSandboxChannels, sandboxChannels } from "../../sandbox/channels.ts";
import type { SandboxVendors } from "../../sandbox/server.ts";

const idleTimeoutSeconds = 255;

export class Practice {
  readonly #isOff: boolean;
  readonly #machine: Machine;
  #server: Server<undefined> | null = null;
  #vendors: Promise<SandboxVendors> | null = null;

  constructor({ sandbox }: Pick<Config, "sandbox">, machine: Machine) {
    this.#machine = machine;
    this.#isOff = sandbox === "off";
  }

  /** Those for everyone, or for root alone; none where the sandbox is off. */
  channels(audience: "everyone" | "root"): ChannelSettings[] {
    if (this.#isOff) return [];
    this.#server ??= this.#listen();
    const url = this.#server.url.origin;
    return audience === "root" ? rootSandboxChannels(url) : sandboxChannels(url);
  }

  async close(): Promise<void> {
    await this.#server?.stop(true);
  }

  #listen(): Server<undefined> {
    return Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      development: false,
      idleTimeout: idleTimeoutSeconds,
      fetch: async (request, self) => {
        const { answer } = await (this.#vendors ??= load(this.#machine));
        return await answer(request, () => self.timeout(request, 0));
      },
    });
  }
}

async function load({ clock, timers }: Machine): Promise<SandboxVendors> {
  const { openVendors } = await import("../../sandbox/server.ts");
  return openVendors({ clock, timers });
}
