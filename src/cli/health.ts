// sluice health: whether the gateway on the data folder answers, for whatever restarts or waits for
// it where there is no curl: an image of one file has none.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { ownerFile } from "../app/folder/owner.ts";
import { isObject, parseJson } from "../core/json.ts";
import { send } from "../core/wire/send.ts";
import { addCommand, guard, readConfig } from "./command.ts";
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
  const url = readAddress((await readConfig(terminal)).dataFolder);
  const reply = await send({
    url: `${url}${ready ? "/readyz" : "/healthz"}`,
    method: "GET",
    headers: {},
    signal: new AbortController().signal,
  });
  terminal.write(`${new TextDecoder().decode(await reply.bytes(replyBytesMax)).trim()}\n`);
  if (reply.status !== 200) terminal.fail();
}

function readAddress(folder: string): string {
  const path = join(folder, ownerFile);
  try {
    const state = parseJson(readFileSync(path));
    if (isObject(state) && typeof state["url"] === "string") return state["url"];
  } catch {
    // No gateway has got as far as writing it.
  }
  throw new Error(`${path} does not say where a gateway is: none runs on this data folder`);
}
