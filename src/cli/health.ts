// sluice health: whether the gateway on the data folder answers, for whatever restarts or waits for
// it where there is no curl: an image of one file has none.
import type { Command } from "commander";
import { send } from "../core/wire/send.ts";
import { addCommand, guard, readConfig } from "./command.ts";
import { addressHere } from "./gateway-place.ts";
import type { Terminal } from "./terminal.ts";

interface HealthOptions {
  ready?: true;
}

const replyBytesMax = 64 * 1024;

export function addHealthCommand(program: Command, terminal: Terminal): void {
  addCommand(program, "health", {
    description: "ask the gateway of this data folder how it is; ends with 0 when it is well",
    examples: ["sluice health", "sluice health --ready"],
  })
    .option("--ready", "ask whether it takes work, in place of whether it lives")
    .action(({ ready }: HealthOptions) => guard(terminal, () => ask(terminal, ready === true)));
}

async function ask(terminal: Terminal, ready: boolean): Promise<void> {
  const url = addressHere((await readConfig(terminal)).dataFolder);
  const reply = await send({
    url: `${url}${ready ? "/readyz" : "/healthz"}`,
    method: "GET",
    headers: {},
    signal: new AbortController().signal,
  });
  terminal.write(`${new TextDecoder().decode(await reply.bytes(replyBytesMax)).trim()}\n`);
  if (reply.status !== 200) terminal.fail();
}
