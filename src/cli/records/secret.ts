// sluice secret: the gateway's own secret, exchanged for another.
import type { Command } from "commander";
import { sleep, systemTimers } from "../../core/clock.ts";
import { secretCalls, type SecretWorkView } from "../../admin/secret/contract.ts";
import {
  addJsonCommand,
  control,
  printOne,
  type CommandNeeds,
  type JsonOption,
} from "../command.ts";
import { ControlError, type ControlClient } from "../control-client.ts";

const pauseMs = 200;

export function addSecretCommands(program: Command, needs: CommandNeeds): void {
  const secret = program
    .command("secret")
    .description("exchange the secret that seals credentials");
  addJsonCommand(secret, "rotate", {
    description: "seal everything with another secret, and wait for the end of it",
    examples: ["sluice secret rotate"],
  }).action((options: JsonOption) =>
    control(needs, async (client) => {
      const work = await ended(client, await client.ask(secretCalls.rotate));
      if (!work.result) throw new ControlError(work.problem ?? "it did not end");
      printOne(needs.terminal, { ...work }, textOf(work.result), options);
    }),
  );
}

async function ended(client: ControlClient, begun: SecretWorkView): Promise<SecretWorkView> {
  let work: SecretWorkView | null = begun;
  while (work?.state === "running") {
    await sleep(systemTimers, pauseMs);
    ({ work } = await client.ask(secretCalls.read));
  }
  return work ?? begun;
}

function textOf({ rows, unreadable, next }: NonNullable<SecretWorkView["result"]>): string {
  const lines = [`sealed ${rows} values anew`];
  if (unreadable > 0)
    lines.push(`${unreadable} open with neither secret, and were left as they are`);
  if (next !== null) lines.push(next);
  return lines.join("\n");
}
