// sluice task: videos and images that are made while nobody waits.
import type { Command } from "commander";
import { taskCalls } from "../../admin/task/contract.ts";
import { deliveryCalls } from "../../admin/webhook/contract.ts";
import type { JsonObject } from "../../core/json.ts";
import { addListCommand, addOwn } from "../call-command.ts";
import {
  addJsonCommand,
  control,
  printFields,
  type CommandNeeds,
  type JsonOption,
} from "../command.ts";
import { ControlError, type ControlClient, type ListCall } from "../control-client.ts";

export function addTaskCommands(program: Command, needs: CommandNeeds): void {
  const tasks = program.command("task").description("see what vendors work on");
  addListCommand(tasks, needs, {
    description: "list tasks, the newest first",
    examples: ["sluice task list --state in_progress", "sluice task list --account alice"],
    call: taskCalls.list,
    own: taskCalls.listOwn,
    columns: [
      "id",
      "kind",
      "account",
      "model",
      "channel",
      "state",
      ["%", "progress"],
      "held_micros",
      ["COST", "micros"],
      "created_at",
    ],
    usual: 20,
  });
  const show = addJsonCommand(tasks, "show", {
    description: "show all that is known of a task, and what its callback was told",
    examples: ["sluice task show task_01jz3k7m2n"],
  }).argument("<task>", "its id");
  addOwn(show).action((id: string, options: JsonOption & { own?: true }) =>
    control(needs, async (client) => {
      const task = await findTask(client, options.own ? taskCalls.listOwn : taskCalls.list, id);
      const calls = options.own ? deliveryCalls.listOwn : deliveryCalls.list;
      const callbacks = await client.all(calls, { task: id });
      printFields(needs.terminal, { ...task, callbacks }, options);
    }),
  );
}

/** The newest stand first, and those are asked for. */
async function findTask(client: ControlClient, tasks: ListCall, id: string): Promise<JsonObject> {
  for await (const page of client.pages(tasks)) {
    const match = page.find((task) => task["id"] === id);
    if (match) return match;
  }
  throw new ControlError(`there is no task ${id}`);
}
