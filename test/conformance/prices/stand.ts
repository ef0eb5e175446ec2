// A gateway with scripted vendors of models, and the command line beside it.
import { runCommand, type CommandEnd } from "../../harness/command.ts";
import { Folder } from "../../harness/folder.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";

export interface PriceStand extends AsyncDisposable {
  gateway: Gateway;
  /** Runs a command; `input` is what a key is read from. */
  sluice(...words: string[]): Promise<CommandEnd>;
  /** The one whose models these are has an address that is never called. */
  addFar(name: string, baseUrl: string, models: string[]): Promise<void>;
  ownPrice(model: string): Promise<Record<string, unknown> | undefined>;
}

export async function startPriceStand(): Promise<PriceStand> {
  const data = new Folder();
  const gateway = await startGateway({ folder: data.path, config: 'sandbox: "off"\n' });
  const input = "sk-vendor-secret-0000\n";
  return {
    gateway,
    sluice: (...words) => runCommand({ folder: data.path, input }, ...words),
    async addFar(name, baseUrl, models) {
      const fields = { name, type: "openai", base_url: baseUrl, key: "sk-far-secret-0000", models };
      await gateway.control("POST", "/api/channel", fields);
    },
    async ownPrice(model) {
      const path = "/api/price?page_size=100";
      const { items } = await gateway.control<{ items: Record<string, unknown>[] }>("GET", path);
      return items.find((price) => price["model"] === model && price["source"] === "own");
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      data[Symbol.dispose]();
    },
  };
}
