// sluice task: videos and images that are made while nobody waits.
import type { Command } from "commander";
import type { JsonObject } from "../../core/json.ts";
import {
  addJsonCommand,
  addListCommand,
  control,
  printJson,
  wholeOption,
  type CommandNeeds,
  type JsonOption,
} from "../command.ts";
import { ControlError, type ControlClient, type Query } from "../control-client.ts";
import { renderFields } from "./fields.ts";
import { usernameOf } from "./names.ts";
import { dollars, type Column } from "../table.ts";

interface TaskOptions extends JsonOption {
  account?: string;
  state?: string;
  kind?: string;
  model?: string;
  limit?: number;
  own?: true;
}

const columns: readonly Column[] = [
  { title: "ID", from: "id" },
  { title: "KIND", from: "kind" },
  { title: "ACCOUNT", from: "account" },
  { title: "MODEL", from: "model" },
  { title: "CHANNEL", from: "channel" },
  { title: "STATE", from: "state" },
  { title: "%", from: "progress" },
  { title: "HELD", from: ({ held_micros: held }) => dollars(held) },
  { title: "COST", from: ({ micros }) => (micros === null ? "-" : dollars(micros)) },
  { title: "CREATED", from: ({ created_at: at }) => new Date(Number(at) * 1000).toISOString() },
];

const listedUsual = 20;

export function addTaskCommands(program: Command, needs: CommandNeeds): void {
  const tasks = program.command("task").description("see what vendors work on");
  addListCommand(tasks, needs, {
    description: "list tasks, the newest first",
    examples: ["sluice task list --state in_progress", "sluice task list --account alice"],
    columns,
    read: (client, options: TaskOptions) => readTasks(client, options),
  })
    .option("--account <user>", "only those of this account, by user name or id")
    .option("--state <state>", "submitting, unknown, queued, in_progress, completed or failed")
    .option("--kind <kind>", "video or image")
    .option("--model <name>", "only those of this model")
    .option("--limit <count>", `how many at most (default: ${listedUsual})`, wholeOption)
    .option("--own", "only one's own, for an access token that is no admin's");
  addJsonCommand(tasks, "show", {
    description: "show all that is known of a task, and what its callback was told",
    examples: ["sluice task show task_01jz3k7m2n"],
  })
    .argument("<task>", "its id")
    .option("--own", "only one's own, for an access token that is no admin's")
    .action((id: string, options: TaskOptions) =>
      control(needs, async (client) => {
        const task = await findTask(client, id, options);
        const webhook = options.own ? "/api/webhook/self" : "/api/webhook";
        const shown = { ...task, callbacks: await client.all(webhook, { task: id }) };
        if (options.json) printJson(needs.terminal, shown);
        else needs.terminal.write(renderFields(shown));
      }),
    );
}

async function readTasks(client: ControlClient, options: TaskOptions): Promise<JsonObject[]> {
  const { account, state, kind, model, limit = listedUsual } = options;
  const query: Query = {
    ...(account !== undefined && { account: await usernameOf(client, account) }),
    ...(state !== undefined && { state }),
    ...(kind !== undefined && { kind }),
    ...(model !== undefined && { model }),
  };
  const rows: JsonObject[] = [];
  for await (const page of client.pages(pathOf(options), query)) {
    rows.push(...page);
    if (rows.length >= limit) break;
  }
  return rows.slice(0, limit);
}

/** The newest stand first, and those are asked for. */
async function findTask(client: ControlClient, id: string, options: TaskOptions) {
  for await (const page of client.pages(pathOf(options))) {
    const found = page.find((task) => task["id"] === id);
    if (found) return found;
  }
  throw new ControlError(`there is no task ${id}`);
}

function pathOf({ own }: TaskOptions): string {
  return own ? "/api/task/self" : "/api/task";
}
