// sluice group: which channels a key reaches, at what multiplier and within what limits.
import type { Command } from "commander";
import { groupCalls } from "../admin/group/contract.ts";
import { GroupInput } from "../config/entities.ts";
import type { JsonObject } from "../core/json.ts";
import { addCallCommand, addListCommand } from "./call-command.ts";
import type { CommandNeeds } from "./command.ts";
import type { ControlClient } from "./control-client.ts";
import { list } from "./readers.ts";

const name = { name: "group", text: "its name" };
const { name: _name, ...settings } = GroupInput.properties;

export function addGroupCommands(program: Command, needs: CommandNeeds): void {
  const groups = program.command("group").description("make, list, change and remove groups");
  addCallCommand(groups, "set", needs, {
    description: "make a group, or change what is named of one and leave the rest",
    examples: [
      "sluice group set partners --multiplier 0.8",
      "sluice group set trial --requests-per-minute 20 --clear concurrency",
    ],
    call: groupCalls.write,
    words: { name },
    prepare: async ({ fields, client, wanted, options: { clear } }) => {
      const kept = await readSettings(client, wanted);
      const cleared = Array.isArray(clear)
        ? clear.map((word) => String(word).replaceAll("-", "_"))
        : [];
      const left = Object.entries(kept).filter(([field]) => !cleared.includes(field));
      return { ...Object.fromEntries(left), ...fields };
    },
    text: (_group, { wanted }) => `set the group ${wanted}`,
  }).option("--clear <limits>", "limits that no longer hold, comma-separated", list);
  addListCommand(groups, needs, {
    description: "list the groups",
    examples: ["sluice group list"],
    call: groupCalls.list,
    columns: [
      "name",
      "multiplier",
      "requests_per_minute",
      "tokens_per_minute",
      "concurrency",
      "declared",
    ],
  });
  addCallCommand(groups, "remove", needs, {
    description: "remove a group that no account and no key is in",
    examples: ["sluice group remove partners"],
    call: groupCalls.removeNamed,
    words: { name },
    text: (_gone, { wanted }) => `removed ${wanted}`,
  });
}

/** The control API takes a group as a whole. */
async function readSettings(client: ControlClient, wanted: string): Promise<JsonObject> {
  const group: JsonObject =
    (await client.all(groupCalls.list)).find((one) => one.name === wanted) ?? {};
  const isSet = (field: string) => (group[field] ?? null) !== null;
  return Object.fromEntries(
    Object.keys(settings)
      .filter(isSet)
      .map((field) => [field, group[field]]),
  );
}
