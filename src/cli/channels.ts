// sluice channel: the upstreams.
import type { Command } from "commander";
import { isObject, type JsonObject } from "../core/json.ts";
import {
  addJsonCommand,
  addListCommand,
  addRemoveCommand,
  control,
  fieldsOf,
  list,
  pair,
  printOne,
  wholeOption,
  type CommandNeeds,
  type CommandOptions,
  type JsonOption,
} from "./command.ts";
import { addChannel, addDiscover } from "./vendors.ts";
import { addChannelChanges } from "./channel-changes.ts";
import type { Column } from "./table.ts";

const columns: readonly Column[] = [
  { title: "ID", from: "id" },
  { title: "NAME", from: "name" },
  { title: "TYPE", from: "type" },
  { title: "URL", from: "base_url" },
  { title: "MODELS", from: "models" },
  { title: "GROUPS", from: "groups" },
  { title: "PRIORITY", from: "priority" },
  { title: "KEYS", from: countKeys },
  { title: "STATUS", from: readState },
];

export function addChannelCommands(program: Command, needs: CommandNeeds): void {
  const channels = program.command("channel").description("add, list, test and remove channels");
  addAdd(channels, needs);
  addListCommand(channels, needs, {
    description: "list the channels and how they are doing",
    examples: ["sluice channel list"],
    columns,
    read: (client) => client.all("/api/channel"),
  });
  addTest(channels, needs);
  addDiscover(channels, needs);
  addChannelChanges(channels, needs);
  addRemoveCommand(channels, "remove", needs, {
    description: "remove a channel with its keys",
    examples: ["sluice channel remove main"],
    path: "/api/channel",
    done: "removed",
  }).argument("<channel>", "its id or name");
}

/** Options whose fields go by another name. */
/** Prices by model are set in the file, the console or the API. */
function costOption(text: string): { percent: number } {
  return { percent: wholeOption(text.replace(/%$/, "")) };
}

const renamed = { url: "base_url", map: "model_mapping", header: "headers" };

function addAdd(channels: Command, needs: CommandNeeds): void {
  addJsonCommand(channels, "add", {
    description: "add an upstream",
    examples: [
      "sluice channel add deepseek --key - < key.txt",
      "sluice channel add main --url https://api.example.com --key - --models gpt-5 < key.txt",
      "sluice channel add local --url http://127.0.0.1:8000 --key none --models llama \\\n" +
        "      --allow-private --map llama=llama-3.3-70b",
    ],
  })
    .argument("<name>", "what to call it; a known vendor's name brings its address")
    .option("--preset <vendor>", "a known vendor (default: by name; see channel presets)")
    .option("--url <address>", "the vendor's origin (default: the known vendor's)")
    .option("--key <text>", "the vendor's key; - reads it from the standard input")
    .option("--models <names>", "the models it serves, by commas (default: all it lists)", list)
    .option("--type <type>", "the vendor's protocol (default: the known vendor's, or openai)")
    .option("--format <format>", "the text format it speaks (default: by type)")
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
    .option("--cost <percent>", "what the vendor takes of the list price, in percent", costOption)
    .option("--surcharges <kind=word>", "price, refuse or ignore what costs more; repeatable", pair)
    .option(
      "--first-byte-ms <ms>",
      "how long it may take to begin (default: by timeouts)",
      wholeOption,
    )
    .option(
      "--stall-ms <ms>",
      "how long a stream may be silent (default: by timeouts)",
      wholeOption,
    )
    .option("--total-ms <ms>", "how long it may take in all (default: by timeouts)", wholeOption)
    .option("--drop-store", "take store out of every request")
    .option("--allow-objects", "let every account name what the vendor keeps under an id")
    .option("--allow-private", "let the address be on this machine or network")
    .option("--proxy <address>", "an HTTP proxy on the way there")
    .option("--http2", "speak HTTP/2 to it")
    .action((name: string, { preset, key, ...options }: CommandOptions) =>
      control(needs, async (client) => {
        const fields = fieldsOf(options, renamed);
        await addChannel(needs.terminal, client, { name, preset, key, fields, options });
      }),
    );
}

function addTest(channels: Command, needs: CommandNeeds): void {
  addJsonCommand(channels, "test", {
    description: "try a channel for next to nothing; a success enables its key again",
    examples: ["sluice channel test main --model gpt-5-mini"],
  })
    .argument("<channel>", "its id or name")
    .option("--model <name>", "the model to ask (default: its first)")
    .option("--key <number>", "which of its keys, from 0 (default: a disabled one)", wholeOption)
    .action((wanted: string, options: JsonOption & { model?: string; key?: number }) =>
      control(needs, async (client) => {
        const id = await client.find("/api/channel", "name", wanted);
        const { model, key } = options;
        const result = await client.post(`/api/channel/${id}/test`, { model, key });
        const { ok, status, latency_ms: latencyMs, message } = isObject(result) ? result : {};
        const answered = typeof status === "number" ? `status ${status}` : "no answer";
        const outcome = `${answered} after ${String(latencyMs)} ms`;
        const words = message === "" ? "" : `: ${String(message)}`;
        const text = `${ok === true ? "ok" : "failed"}: ${outcome}${words}`;
        printOne(needs.terminal, result, text, options);
        if (ok !== true) needs.terminal.fail();
      }),
    );
}

function countKeys({ keys }: JsonObject): string {
  const all = Array.isArray(keys) ? keys.filter(isObject) : [];
  const enabled = all.filter(({ status }) => status === "enabled").length;
  return enabled === all.length ? String(all.length) : `${enabled} of ${all.length}`;
}

function readState({ status, health }: JsonObject): string {
  return isObject(health) && health["ejected"] === true ? "ejected" : String(status);
}
