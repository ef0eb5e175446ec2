// A gateway in front of the sandbox's vendors, with one model for each dialect that upstreams speak.
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import type { Dialect } from "../../src/formats/exchange.ts";
import { startSandbox, type Sandbox } from "../../sandbox/server.ts";
import { startGateway, type Gateway } from "./gateway.ts";
import { startTap, type Tap } from "./tap.ts";

/** The model that is served by a vendor of each dialect, and by no other. */
export const modelOf: Readonly<Record<Dialect, string>> = {
  chat: "chatA",
  responses: "chatA-mini",
  messages: "chatB",
  content: "chatC",
};

export const dialects = ["chat", "responses", "messages", "content"] as const;

export interface DialectsStand extends AsyncDisposable {
  gateway: Gateway;
  sandbox: Sandbox;
}

export interface TappedStand extends DialectsStand {
  /** Between the gateway and the vendors. */
  tap: Tap;
}

/** More lines of configuration may be given; they must not declare channels. */
export async function startDialects(config: string = ""): Promise<DialectsStand> {
  const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
  const gateway = await startGateway({ config: `${config}\n${channels(sandbox.url)}` });
  return {
    gateway,
    sandbox,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await sandbox.close();
    },
  };
}

/** The same, for tests that look at what the vendors were sent. */
export async function startTapped(config: string = ""): Promise<TappedStand> {
  const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
  const tap = startTap(sandbox.url);
  const gateway = await startGateway({ config: `${config}\n${channels(tap.url)}` });
  return {
    gateway,
    sandbox,
    tap,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await tap[Symbol.asyncDispose]();
      await sandbox.close();
    },
  };
}

function channels(url: string): string {
  const row = (name: Dialect, type: string, models: string[]) => `
  - name: ${name}
    type: ${type}
    format: ${name}
    base_url: ${url}/${type}
    key: sk-sandbox-${name}
    models: [${models.join(", ")}]
    allow_private: true`;
  return `channels:${row("chat", "openai", [modelOf.chat, "embedA"])}${row("responses", "openai", [
    modelOf.responses,
  ])}${row("messages", "anthropic", [modelOf.messages])}${row("content", "google", [
    modelOf.content,
  ])}
`;
}
