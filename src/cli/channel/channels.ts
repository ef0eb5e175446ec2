// sluice channel: the upstreams.
import type { Command } from "commander";
import { channelCalls, type ChannelView } from "../../admin/channel/contract.ts";
import type { Json } from "../../core/json.ts";
import { channelOf, channelOptions } from "./channel-options.ts";
import { addTest } from "./trial.ts";
import { addCallCommand, addListCommand } from "../call-command.ts";
import { addJsonCommand, control, printRows, readSecret, type CommandNeeds } from "../command.ts";
import type { JsonOption } from "../command.ts";
import { list } from "../readers.ts";
import { addAdd, addDiscover } from "./vendors.ts";

export function addChannelCommands(program: Command, needs: CommandNeeds): void {
  const channels = program.command("channel").description("add, list, test and remove channels");
  addAdd(channels, needs);
  addListCommand(channels, needs, {
    description: "list the channels and how they are doing",
    examples: ["sluice channel list", "sluice channel list --model gpt-5"],
    call: channelCalls.list,
    columns: [
      "id",
      "name",
      "type",
      ["URL", "base_url"],
      "models",
      "groups",
      "priority",
      ["KEYS", countKeys],
      ["STATUS", ({ status, health }) => (health?.ejected ? "ejected" : status)],
    ],
  });
  addTest(channels, needs);
  addDiscover(channels, needs);
  addEdit(channels, needs);
  addStatus(channels, needs, "disable", "send nothing new to a channel");
  addStatus(channels, needs, "enable", "use a disabled channel again");
  addKeys(channels, needs);
  addCallCommand(channels, "remove", needs, {
    description: "remove a channel with its keys",
    examples: ["sluice channel remove main"],
    call: channelCalls.remove,
    of: channelOf,
    text: ({ id }) => `removed ${id}`,
  });
}

function countKeys({ keys }: ChannelView): string {
  const enabled = keys.filter(({ status }) => status === "enabled").length;
  return enabled === keys.length ? String(keys.length) : `${enabled} of ${keys.length}`;
}

function addEdit(channels: Command, needs: CommandNeeds): void {
  addCallCommand(channels, "edit", needs, {
    description: "change what is named of a channel and leave the rest",
    examples: [
      "sluice channel edit main --priority 5 --add-models gpt-5-nano",
      "sluice channel edit main --url https://api.example.com --key - < key.txt",
      "sluice channel edit main --clear proxy,concurrency --no-http2",
    ],
    call: channelCalls.change,
    of: channelOf,
    options: { ...channelOptions, base_url: { value: "address", note: "needs the key again" } },
    async prepare({ fields: { key, ...fields }, client, wanted, options }) {
      const secret = typeof key === "string" && { key: await readSecret(needs.terminal, key) };
      const [added, removed] = [textsIn(options["addModels"]), textsIn(options["removeModels"])];
      if (added.length + removed.length === 0) return { ...fields, ...secret };
      const { models } = await client.find(channelOf, wanted);
      const served = new Set([...textsIn(fields["models"] ?? models), ...added]);
      const left = [...served].filter((model) => !removed.includes(model));
      return { ...fields, ...secret, models: left };
    },
    text: (_channel, { fields }) => `changed ${Object.keys(fields).join(", ")}`,
  })
    .option("--add-models <names>", "further models, comma-separated", list)
    .option("--remove-models <names>", "models that it serves no more, comma-separated", list);
}

function textsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function addStatus(
  channels: Command,
  needs: CommandNeeds,
  verb: "enable" | "disable",
  description: string,
): void {
  addCallCommand(channels, verb, needs, {
    description,
    examples: [`sluice channel ${verb} main`],
    call: channelCalls.change,
    of: channelOf,
    options: "none",
    prepare: () => ({ status: `${verb}d` }),
    text: (_channel, { wanted }) => `${verb}d ${wanted}`,
  });
}

function addKeys(channels: Command, needs: CommandNeeds): void {
  addJsonCommand(channels, "keys", {
    description: "list the keys of a channel and why some are disabled, or give it others",
    examples: ["sluice channel keys main", "sluice channel keys main --set - < keys.txt"],
  })
    .argument("<channel>", "its id or name")
    .option("--set <text>", "keys instead of those it has; - reads them, one a line")
    .action((wanted: string, options: JsonOption & { set?: string }) =>
      control(needs, async (client) => {
        let channel = await client.find(channelOf, wanted);
        if (options.set !== undefined) {
          const keys = linesOf(await readSecret(needs.terminal, options.set));
          channel = await client.ask(channelCalls.change, { id: channel.id, body: { keys } });
        }
        const rows = channel.keys.map((key, number) => ({ number, ...key }));
        const columns = ["number", ["ENDS WITH", "last4"], "status", "reason"] as const;
        printRows(needs.terminal, rows, columns, options);
      }),
    );
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}
