// sluice group: which channels a key reaches, at what multiplier and within what limits.
import { InvalidArgumentError, type Command } from "commander";
import type { JsonObject } from "../core/json.ts";
import {
  addJsonCommand,
  addListCommand,
  control,
  fieldsOf,
  list,
  printOne,
  wholeOption,
  type CommandNeeds,
  type CommandOptions,
  type JsonOption,
} from "./command.ts";
import type { ControlClient } from "./control-client.ts";
import type { Column } from "./table.ts";

const columns: readonly Column[] = [
  { title: "NAME", from: "name" },
  { title: "MULTIPLIER", from: "multiplier" },
  { title: "REQUESTS/MIN", from: "requests_per_minute" },
  { title: "TOKENS/MIN", from: "tokens_per_minute" },
  { title: "CONCURRENCY", from: "concurrency" },
  { title: "DECLARED", from: "declared" },
];

const settings = ["multiplier", "requests_per_minute", "tokens_per_minute", "concurrency"];

export function addGroupCommands(program: Command, needs: CommandNeeds): void {
  const groups = program.command("group").description("make, list, change and remove groups");
  addSet(groups, needs);
  addListCommand(groups, needs, {
    description: "list the groups",
    examples: ["sluice group list"],
    columns,
    read: (client) => client.all("/api/group"),
  });
  addJsonCommand(groups, "remove", {
    description: "remove a group that no account and no key is in",
    examples: ["sluice group remove partners"],
  })
    .argument("<group>", "its name")
    .action((name: string, options: JsonOption) =>
      control(needs, async (client) => {
        const gone = await client.remove(`/api/group?${new URLSearchParams({ name })}`);
        printOne(needs.terminal, gone, `removed ${name}`, options);
      }),
    );
}

function addSet(groups: Command, needs: CommandNeeds): void {
  addJsonCommand(groups, "set", {
    description: "make a group, or change what is named of one and leave the rest",
    examples: [
      "sluice group set partners --multiplier 0.8",
      "sluice group set trial --requests-per-minute 20 --clear concurrency",
    ],
  })
    .argument("<group>", "its name")
    .option("--multiplier <number>", "every price is multiplied by it", multiplierOption)
    .option("--requests-per-minute <count>", "of the whole group", wholeOption)
    .option("--tokens-per-minute <count>", "of the whole group", wholeOption)
    .option("--concurrency <count>", "requests in flight of the whole group", wholeOption)
    .option("--clear <limits>", "limits that no longer hold, by commas", list)
    .action((name: string, { clear, ...options }: CommandOptions) =>
      control(needs, async (client) => {
        const cleared = Array.isArray(clear) ? clear.map(String) : [];
        const changes = fieldsOf(options, {});
        const body = { ...(await readSettings(client, name, cleared)), name, ...changes };
        const group = await client.post("/api/group", body);
        printOne(needs.terminal, group, `set the group ${name}`, options);
      }),
    );
}

/** The control API takes a group as a whole. */
async function readSettings(
  client: ControlClient,
  name: string,
  cleared: readonly string[],
): Promise<JsonObject> {
  const group = (await client.all("/api/group")).find((one) => one["name"] === name) ?? {};
  const without = cleared.map((word) => word.replaceAll("-", "_"));
  const isSet = (field: string) => (group[field] ?? null) !== null;
  const kept = settings.filter((field) => !without.includes(field) && isSet(field));
  return Object.fromEntries(kept.map((field) => [field, group[field]]));
}

function multiplierOption(text: string): number {
  const value = /^\d{1,4}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isNaN(value)) return value;
  throw new InvalidArgumentError("It must be a number with at most 6 decimals, such as 0.8.");
}
