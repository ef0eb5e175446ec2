// Channels by the name of their vendor: what a preset brings along, which models there are, and
// what they cost.
import type { Command } from "commander";
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { shellWord } from "../core/shell-word.ts";
import type { Terminal } from "./terminal.ts";
import {
  addJsonCommand,
  control,
  printOne,
  readSecret,
  type CommandNeeds,
  type JsonOption,
} from "./command.ts";
import { ControlError, type ControlClient } from "./control-client.ts";
import { changesIn } from "./price-sync.ts";
import { price, renderTable, type Column } from "./table.ts";

interface Asked {
  name: string;
  preset: Json | undefined;
  key: Json | undefined;
  fields: JsonObject;
  options: JsonOption;
}

export async function addChannel(
  terminal: Terminal,
  client: ControlClient,
  { name, preset, key, fields, options }: Asked,
): Promise<void> {
  const vendor = fields["base_url"] === undefined ? (preset ?? name) : preset;
  const known = vendor === undefined ? {} : await fieldsOfPreset(client, String(vendor));
  assertWhole(String(vendor), fields["base_url"] ?? known["base_url"]);
  const secret = await keyOf(terminal, key, known["allow_private"] === true);
  const draft = { type: "openai", ...known, ...fields, key: secret };
  const models = fields["models"] ?? (await chooseModels(client, draft));
  const created = await client.post("/api/channel", { name, ...draft, models });
  const { id = "", unpriced = [] } = isObject(created) ? created : {};
  const priced = await priceNew(client, namesIn(unpriced));
  const text = [`added ${name} (${String(id)})`, ...tellPrices(namesIn(unpriced), priced)];
  printOne(terminal, created, text.join("\n"), options);
}

/** Refuses an address that still has a part for the operator to fill in. */
function assertWhole(vendor: string, baseUrl: Json | undefined): void {
  if (typeof baseUrl !== "string" || !baseUrl.includes("{")) return;
  throw new Error(
    `${vendor} has a part of your own in its address: give --url ${baseUrl} with it filled in`,
  );
}

/** Those of a channel, without what is only for people. */
async function fieldsOfPreset(client: ControlClient, vendor: string): Promise<JsonObject> {
  const all = await readPresets(client);
  const presetRow = all.find(({ name }) => name === vendor);
  if (!presetRow) {
    const names = all.map(({ name }) => String(name)).join(", ");
    throw new Error(`no vendor is known as ${vendor}: give --url, or one of ${names}`);
  }
  const { name: _name, title: _title, format, ...fields } = presetRow;
  return { ...fields, ...(format !== null && format !== undefined && { format }) };
}

async function readPresets(client: ControlClient): Promise<JsonObject[]> {
  const answer = await client.get("/api/channel/presets");
  const items = isObject(answer) ? answer["items"] : null;
  return Array.isArray(items) ? items.filter(isObject) : [];
}

async function keyOf(terminal: Terminal, key: Json | undefined, isLocal: boolean): Promise<string> {
  if (typeof key === "string") return await readSecret(terminal, key);
  if (isLocal) return "none";
  throw new Error("the vendor's key is missing: --key - reads it from the standard input");
}

/** All that can be charged for, or where the list knows none of them simply all. */
async function chooseModels(client: ControlClient, draft: JsonObject): Promise<string[]> {
  const models = await discover(client, draft).catch((error: unknown) => {
    throw error instanceof ControlError
      ? new ControlError(`${error.message} Here that is --models name,name.`)
      : error;
  });
  const charged = models.filter(({ price: amounts }) => amounts !== null);
  const chosen = (charged.length > 0 ? charged : models).map(({ id }) => String(id));
  if (chosen.length > 0) return chosen;
  throw new Error("the vendor lists no models: name them with --models");
}

async function discover(client: ControlClient, request: JsonObject): Promise<JsonObject[]> {
  const listed = await client.post("/api/channel/discover", request);
  const models = isObject(listed) ? listed["models"] : null;
  return Array.isArray(models) ? models.filter(isObject) : [];
}

/** A model without a price is given the list's; no price that is there changes. */
async function priceNew(client: ControlClient, models: readonly string[]): Promise<JsonObject[]> {
  if (models.length === 0) return [];
  return changesIn(await client.post("/api/price/sync", { models, new_only: true }));
}

const linesMax = 20;

function tellPrices(unpriced: readonly string[], priced: readonly JsonObject[]): string[] {
  const now = new Set(priced.map(({ model }) => model));
  const without = unpriced.filter((model) => !now.has(model));
  const lines = priced.slice(0, linesMax).map(({ model, vendor, after }) => {
    return `priced ${String(model)} by the list of ${String(vendor)}: ${tellPrice(after)}`;
  });
  if (priced.length > linesMax) lines.push(`and ${priced.length - linesMax} more`);
  if (without.length === 0) return lines;
  return [
    ...lines,
    `without a price, and refused until they have one: ${without.join(", ")}`,
    `set one with: sluice price set ${shellWord(without[0] ?? "")} --input '$1' --output '$2'`,
  ];
}

function tellPrice(amounts: Json | undefined): string {
  if (!isObject(amounts)) return "none";
  const input = price(amounts["input_micros_per_million"]);
  const output = price(amounts["output_micros_per_million"]);
  return `${input} in and ${output} out for a million tokens`;
}

function namesIn(value: Json): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

const columns: readonly Column[] = [
  { title: "MODEL", from: "id" },
  { title: "CONTEXT", from: "context_tokens" },
  { title: "INPUT/M", from: (row) => amountOf(row, "input_micros_per_million") },
  { title: "OUTPUT/M", from: (row) => amountOf(row, "output_micros_per_million") },
  { title: "PRICED", from: "is_priced" },
  { title: "SERVED", from: "is_served" },
];

function amountOf({ price: amounts }: JsonObject, field: string): string {
  return price(isObject(amounts) ? amounts[field] : undefined);
}

const presetColumns: readonly Column[] = [
  { title: "NAME", from: "name" },
  { title: "VENDOR", from: "title" },
  { title: "TYPE", from: "type" },
  { title: "URL", from: "base_url" },
];

export function addDiscover(channels: Command, needs: CommandNeeds): void {
  addJsonCommand(channels, "discover", {
    description: "list a vendor's models and what they cost, of a channel or a known vendor",
    examples: ["sluice channel discover main", "sluice channel discover groq --key - < key.txt"],
  })
    .argument("<channel>", "a channel by its id or name, or with --key a known vendor")
    .option("--key <text>", "the vendor's key; - reads it from the standard input")
    .action((wanted: string, options: JsonOption & { key?: string }) =>
      control(needs, async (client) => {
        const { terminal } = needs;
        const { key } = options;
        const request =
          key === undefined
            ? { id: await client.find("/api/channel", "name", wanted) }
            : { ...(await fieldsOfPreset(client, wanted)), key: await readSecret(terminal, key) };
        const models = await discover(client, request);
        printOne(terminal, models, renderTable(columns, models).trimEnd(), options);
      }),
    );
  addJsonCommand(channels, "presets", {
    description: "list the vendors that are known by name",
    examples: ["sluice channel presets"],
  }).action((options: JsonOption) =>
    control(needs, async (client) => {
      const items = await readPresets(client);
      printOne(needs.terminal, items, renderTable(presetColumns, items).trimEnd(), options);
    }),
  );
}
