// A gateway in front of the sandbox: one channel and one group of keys for each vendor's model, so
// that an agent's key decides who answers it, whatever the model is called.
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import type { Dialect } from "../../src/formats/exchange.ts";
import { type Sandbox, startSandbox } from "../../sandbox/server.ts";
import { type Gateway, startProcess } from "../harness/gateway.ts";

export interface Vendor {
  /** The name of its channel and of its group. */
  name: string;
  dialect: Dialect;
  type: "openai" | "anthropic" | "google";
  /** The vendor's name for the model that answers. */
  model: string;
  /** Path at which the vendor is asked. */
  path: RegExp;
}

const messagesPath = /^\/anthropic\/v1\/messages$/;

/** Two messages vendors: one that thinks as it likes, and one that is given a budget. */
export const vendors: readonly Vendor[] = [
  {
    name: "claude-opus-5",
    dialect: "messages",
    type: "anthropic",
    model: "claude-opus-5",
    path: messagesPath,
  },
  {
    name: "claude-sonnet-4-5",
    dialect: "messages",
    type: "anthropic",
    model: "claude-sonnet-4-5",
    path: messagesPath,
  },
  {
    name: "gemini-3-pro",
    dialect: "content",
    type: "google",
    model: "gemini-3-pro",
    path: /^\/google\/v1beta\/models\/gemini-3-pro:(?:streamG|g)enerateContent$/,
  },
  {
    name: "gpt-chat",
    dialect: "chat",
    type: "openai",
    model: "gpt-5",
    path: /^\/openai\/v1\/chat\/completions$/,
  },
  {
    name: "gpt-responses",
    dialect: "responses",
    type: "openai",
    model: "gpt-5",
    path: /^\/openai\/v1\/responses$/,
  },
];

export interface Stand extends AsyncDisposable {
  gateway: Gateway;
  sandbox: Sandbox;
}

/** Every model that agents ask for is served by every vendor, and has a price. */
export async function startStand(models: readonly string[]): Promise<Stand> {
  const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
  const gateway = await startProcess({ config: configure(sandbox.url, models) });
  return {
    gateway,
    sandbox,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await sandbox.close();
    },
  };
}

/** JSON is YAML as well. */
function configure(url: string, models: readonly string[]): string {
  return JSON.stringify({
    log: { requests: true },
    groups: vendors.map(({ name }) => ({ name })),
    prices: models.map((model) => ({
      model,
      input_micros_per_million: 1_000_000,
      output_micros_per_million: 4_000_000,
    })),
    channels: vendors.map(({ name, dialect, type, model }) => ({
      name,
      type,
      format: dialect,
      base_url: `${url}/${type}`,
      key: `sk-sandbox-${name}`,
      groups: [name],
      models,
      model_mapping: Object.fromEntries(models.map((asked) => [asked, model])),
      allow_private: true,
    })),
  });
}
