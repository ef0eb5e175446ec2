// sluice channel edit, disable, enable and keys: what is done to a channel that is there.
import type { Command } from "commander";
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import {
  addJsonCommand,
  control,
  fieldsOf,
  list,
  pair,
  printOne,
  printRows,
  readSecret,
  wholeOption,
  type CommandNeeds,
  type CommandOptions,
  type JsonOption,
} from "./command.ts";
import { ControlError } from "./control-client.ts";
import type { Column } from "./table.ts";

const path = "/api/channel";
const renamed = { url: "base_url", map: "model_mapping", header: "headers" };

export function addChannelChanges(channels: Command, needs: CommandNeeds): void {
  addEdit(channels, needs);
  addStatus(channels, needs, { verb: "disable", description: "send nothing new to a channel" });
  addStatus(channels, needs, { verb: "enable", description: "use a disabled channel again" });
  addKeys(channels, needs);
}

function addEdit(channels: Command, needs: CommandNeeds): void {
  addJsonCommand(channels, "edit", {
    description: "change what is named of a channel and leave the rest",
    examples: [
      "sluice channel edit main --priority 5 --add-models gpt-5-nano",
      "sluice channel edit main --url https://api.example.com --key - < key.txt",
      "sluice channel edit main --clear proxy,concurrency --no-http2",
    ],
  })
    .argument("<channel>", "its id or name")
    .option("--name <name>", "another name")
    .option("--url <address>", "another origin; needs the key again")
    .option("--key <text>", "the vendor's key; - reads it from the standard input")
    .option("--models <names>", "all the models it serves, by commas", list)
    .option("--add-models <names>", "further models, by commas", list)
    .option("--remove-models <names>", "models that it serves no more, by commas", list)
    .option("--format <format>", "the text format it speaks")
    .option("--groups <names>", "the groups that may use it, by commas", list)
    .option("--priority <number>", "higher ones are tried first", wholeOption)
    .option("--weight <number>", "its share among equals", wholeOption)
    .option("--map <public=upstream>", "another name for a model there; repeatable", pair)
    .option("--header <name=value>", "a header of every request; repeatable", pair)
    .option("--concurrency <count>", "how many requests at once", wholeOption)
    .option(
      "--hidden-prompt-tokens <count>",
      "what the vendor puts before each prompt, unseen, and counts",
      wholeOption,
    )
    .option("--surcharges <kind=word>", "price, refuse or ignore what costs more; repeatable", pair)
    .option("--first-byte-ms <ms>", "how long it may take to begin", wholeOption)
    .option("--stall-ms <ms>", "how long a stream may be silent", wholeOption)
    .option("--total-ms <ms>", "how long it may take in all", wholeOption)
    .option("--drop-store", "take store out of every request")
    .option("--no-drop-store", "leave store in")
    .option("--allow-private", "let the address be on this machine or network; needs the key again")
    .option("--no-allow-private", "refuse such addresses; needs the key again")
    .option("--affinity", "keep each conversation on one key")
    .option("--no-affinity", "let keys take turns also within a conversation")
    .option("--proxy <address>", "an HTTP proxy on the way there; needs the key again")
    .option("--http2", "speak HTTP/2 to it")
    .option("--no-http2", "speak HTTP/1.1 to it")
    .option("--clear <fields>", "what is to be as if it had never been set, by commas", list)
    .action((wanted: string, options: CommandOptions) =>
      control(needs, async (client) => {
        const channel = await client.findRow(path, "name", wanted);
        const changes = await readChanges(needs, options, channel);
        const changed = await client.patch(`${path}/${String(channel["id"])}`, changes);
        printOne(needs.terminal, changed, `changed ${Object.keys(changes).join(", ")}`, options);
      }),
    );
}

async function readChanges(
  { terminal }: CommandNeeds,
  { addModels, removeModels, clear, key, ...options }: CommandOptions,
  { models }: JsonObject,
): Promise<JsonObject> {
  const cleared = textsIn(clear).map((field) => field.replaceAll("-", "_"));
  const optionFields = fieldsOf(options, renamed);
  const changes: JsonObject = {
    ...Object.fromEntries(Object.entries(optionFields).filter(([, value]) => value !== undefined)),
    ...Object.fromEntries(cleared.map((field) => [renamedField(field), null])),
    ...(typeof key === "string" && { key: await readSecret(terminal, key) }),
  };
  const [added, removed] = [textsIn(addModels), textsIn(removeModels)];
  if (added.length + removed.length > 0) {
    const served = new Set([...textsIn(changes["models"] ?? models), ...added]);
    changes["models"] = [...served].filter((model) => !removed.includes(model));
  }
  if (Object.keys(changes).length > 0) return changes;
  throw new ControlError("say what to change: --help lists it");
}

function renamedField(field: string): string {
  return Object.entries(renamed).find(([option]) => option === field)?.[1] ?? field;
}

function textsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

interface StatusVerb {
  verb: "enable" | "disable";
  description: string;
}

function addStatus(channels: Command, needs: CommandNeeds, { verb, description }: StatusVerb) {
  addJsonCommand(channels, verb, { description, examples: [`sluice channel ${verb} main`] })
    .argument("<channel>", "its id or name")
    .action((wanted: string, options: JsonOption) =>
      control(needs, async (client) => {
        const id = await client.find(path, "name", wanted);
        const changed = await client.patch(`${path}/${id}`, { status: `${verb}d` });
        printOne(needs.terminal, changed, `${verb}d ${wanted}`, options);
      }),
    );
}

const keyColumns: readonly Column[] = [
  { title: "NUMBER", from: "number" },
  { title: "ENDS WITH", from: "last4" },
  { title: "STATUS", from: "status" },
  { title: "REASON", from: "reason" },
];

function addKeys(channels: Command, needs: CommandNeeds): void {
  addJsonCommand(channels, "keys", {
    description: "list the keys of a channel and why some are disabled, or give it others",
    examples: ["sluice channel keys main", "sluice channel keys main --set - < keys.txt"],
  })
    .argument("<channel>", "its id or name")
    .option("--set <text>", "keys instead of those it has; - reads them, one a line")
    .action((wanted: string, options: JsonOption & { set?: string }) =>
      control(needs, async (client) => {
        let channel: Json = await client.findRow(path, "name", wanted);
        if (options.set !== undefined) {
          const keys = linesOf(await readSecret(needs.terminal, options.set));
          channel = await client.patch(`${path}/${String(channel["id"])}`, { keys });
        }
        const keys = isObject(channel) && Array.isArray(channel["keys"]) ? channel["keys"] : [];
        const rows = keys.filter(isObject).map((key, number) => ({ number, ...key }));
        printRows(needs.terminal, rows, keyColumns, options);
      }),
    );
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}
