// Channels by the name of their vendor: what a preset brings along, which models there are, and
// what they cost.
import type { Command } from "commander";
import {
  channelCalls,
  type ChannelView,
  type DiscoveredModel,
} from "../../admin/channel/contract.ts";
import { priceCalls, type PriceSync } from "../../admin/price/contract.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { shellWord } from "../../core/shell-word.ts";
import { addCallCommand, type Invocation } from "../call-command.ts";
import { channelOf, channelOptions } from "./channel-options.ts";
import {
  addJsonCommand,
  control,
  printRows,
  readSecret,
  type CommandNeeds,
  type JsonOption,
} from "../command.ts";
import { ControlError, type ControlClient } from "../control-client.ts";
import { price, type Column } from "../table.ts";
import type { Terminal } from "../terminal.ts";

export function addAdd(channels: Command, needs: CommandNeeds): void {
  addCallCommand(channels, "add", needs, {
    description: "add an upstream",
    examples: [
      "sluice channel add deepseek --key - < key.txt",
      "sluice channel add main --url https://api.example.com --key - --models gpt-5 < key.txt",
      "sluice channel add local --url http://127.0.0.1:8000 --key none --models llama \\\n" +
        "      --allow-private --map llama=llama-3.3-70b",
    ],
    call: channelCalls.create,
    words: {
      name: { text: "what to call it; a known vendor's name brings its address and protocol" },
    },
    options: {
      ...channelOptions,
      base_url: { value: "address", text: "the vendor's origin (default: the known vendor's)" },
      models: { text: "the models it serves, comma-separated (default: all it lists)" },
      type: { text: "the vendor's protocol (default: the known vendor's, or openai)" },
    },
    prepare: (invocation) => toChannel(needs.terminal, invocation),
    text: tellAdded,
  }).option("--preset <vendor>", "a known vendor (default: by name; see channel presets)");
}

async function toChannel(
  terminal: Terminal,
  { client, wanted, fields, options: { preset } }: Invocation,
): Promise<JsonObject> {
  const vendor = String(preset ?? wanted);
  // With an address of its own, a channel may be called by any name.
  const isFree = preset === undefined && fields["base_url"] !== undefined;
  const known = await fieldsOfPreset(client, vendor, isFree);
  const address = filledIn(fields["base_url"] ?? known["base_url"], fields["vendor"]);
  assertWhole(vendor, address);
  const key = await keyOf(terminal, fields["key"], known["allow_private"] === true);
  const filled = address === undefined ? {} : { base_url: address };
  const draft = { type: "openai", ...known, ...fields, ...filled, key };
  return { ...draft, models: fields["models"] ?? (await chooseModels(client, draft)) };
}

/** The address with those parts filled in that the cloud's fields have, such as its region. */
function filledIn(baseUrl: Json | undefined, vendor: Json | undefined): Json | undefined {
  if (typeof baseUrl !== "string" || !isObject(vendor)) return baseUrl;
  return baseUrl.replaceAll(/\{(\w+)\}/g, (part, name: string) => String(vendor[name] ?? part));
}

/** Refuses an address that still has a part for the operator to fill in. */
function assertWhole(vendor: string, baseUrl: Json | undefined): void {
  if (typeof baseUrl !== "string" || !baseUrl.includes("{")) return;
  const other = baseUrl.includes("{region}") ? ", or --vendor region=<region>" : "";
  const wanted = `give --url ${baseUrl} with it filled in${other}`;
  throw new Error(`${vendor} has a part of your own in its address: ${wanted}`);
}

/** Fields of a channel, without those that are only for people. */
async function fieldsOfPreset(
  client: ControlClient,
  vendor: string,
  isFree = false,
): Promise<JsonObject> {
  const { items } = await client.ask(channelCalls.presets);
  const preset = items.find(({ name }) => name === vendor);
  if (!preset) {
    if (isFree) return {};
    const names = items.map(({ name }) => name).join(", ");
    throw new Error(`no vendor is known as ${vendor}: give --url, or one of ${names}`);
  }
  const { name: _name, title: _title, format, ...fields } = preset;
  return { ...fields, ...(format !== null && { format }) };
}

async function keyOf(terminal: Terminal, key: Json | undefined, isLocal: boolean): Promise<string> {
  if (typeof key === "string") return await readSecret(terminal, key);
  if (isLocal) return "none";
  throw new Error("the vendor's key is missing: --key - reads it from the standard input");
}

/** All that can be charged for, or where the list knows none of them simply all. */
async function chooseModels(client: ControlClient, draft: JsonObject): Promise<string[]> {
  const { models } = await discover(client, draft).catch((error: unknown) => {
    const isOfModels = error instanceof ControlError && /\bmodels\b/.test(error.message);
    if (!isOfModels) throw error;
    throw new ControlError(`${error.message.replace(/\.?$/, ".")} Name them: --models name,name.`);
  });
  const charged = models.filter(({ price: amounts }) => amounts !== null);
  const chosen = (charged.length > 0 ? charged : models).map(({ id }) => id);
  if (chosen.length > 0) return chosen;
  throw new Error("the vendor lists no models: name them with --models");
}

const discover = (client: ControlClient, body: JsonObject) =>
  client.ask(channelCalls.discover, { body });

const linesMax = 20;

/** A model without a price is given the list's; no price that is there changes. */
async function tellAdded({ id, unpriced = [] }: ChannelView, { client, wanted }: Invocation) {
  const body = { models: unpriced, new_only: true };
  const { changes } =
    unpriced.length === 0 ? { changes: [] } : await client.ask(priceCalls.sync, { body });
  return [`added ${wanted} (${id})`, ...tellPrices(unpriced, changes)].join("\n");
}

function tellPrices(unpriced: readonly string[], priced: PriceSync["changes"]): string[] {
  const now = new Set(priced.map(({ model }) => model));
  const without = unpriced.filter((model) => !now.has(model));
  const lines = priced.slice(0, linesMax).map(({ model, vendor, after }) => {
    return `priced ${model} by the list of ${String(vendor)}: ${tellPrice(after)}`;
  });
  if (priced.length > linesMax) lines.push(`and ${priced.length - linesMax} more`);
  if (without.length === 0) return lines;
  return [
    ...lines,
    `without a price, and refused until they have one: ${without.join(", ")}`,
    `set one with: sluice price set ${shellWord(without[0] ?? "")} --input '$1' --output '$2'`,
  ];
}

function tellPrice(amounts: PriceSync["changes"][number]["after"]): string {
  if (!amounts) return "none";
  const input = price(amounts.input_micros_per_million);
  const output = price(amounts.output_micros_per_million);
  return `${input} in and ${output} out for a million tokens`;
}

const columns: readonly Column<DiscoveredModel>[] = [
  ["MODEL", "id"],
  ["CONTEXT", "context_tokens"],
  ["INPUT/M", ({ price: amounts }) => price(amounts?.input_micros_per_million)],
  ["OUTPUT/M", ({ price: amounts }) => price(amounts?.output_micros_per_million)],
  ["PRICED", "is_priced"],
  ["SERVED", "is_served"],
];

export function addDiscover(channels: Command, needs: CommandNeeds): void {
  const { terminal } = needs;
  addJsonCommand(channels, "discover", {
    description: "list a vendor's models and what they cost, of a channel or a known vendor",
    examples: ["sluice channel discover main", "sluice channel discover groq --key - < key.txt"],
  })
    .argument("<channel>", "a channel by its id or name, or with --key a known vendor")
    .option("--key <text>", "the vendor's key; - reads it from the standard input")
    .action((wanted: string, options: JsonOption & { key?: string }) =>
      control(needs, async (client) => {
        const { key } = options;
        const request =
          key === undefined
            ? { id: (await client.find(channelOf, wanted)).id }
            : { ...(await fieldsOfPreset(client, wanted)), key: await readSecret(terminal, key) };
        printRows(terminal, (await discover(client, request)).models, columns, options);
      }),
    );
  addJsonCommand(channels, "presets", {
    description: "list the vendors that are known by name",
    examples: ["sluice channel presets"],
  }).action((options: JsonOption) =>
    control(needs, async (client) => {
      const { items } = await client.ask(channelCalls.presets);
      const shown = ["name", ["VENDOR", "title"], "type", ["URL", "base_url"]] as const;
      printRows(terminal, items, shown, options);
    }),
  );
}
