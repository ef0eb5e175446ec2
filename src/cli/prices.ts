// sluice price: what models cost.
import type { Command } from "commander";
import { priceCalls, type KnownPrices, type LowestAmounts } from "../admin/price/contract.ts";
import type { JsonObject } from "../core/json.ts";
import { addCallCommand, addListCommand } from "./call-command.ts";
import { agreed, type CommandNeeds } from "./command.ts";
import { addPriceSync } from "./price-sync.ts";
import { ControlError, type ControlClient } from "./control-client.ts";
import { flagOf } from "./flag-words.ts";
import { hours, isMoneyName, longContext, pairOf, percents } from "./readers.ts";
import { dollars } from "./table.ts";

export function addPriceCommands(program: Command, needs: CommandNeeds): void {
  const prices = program
    .command("price")
    .description("set and list prices, in US dollars; amounts without a $ are micros");
  addSet(prices, needs);
  addListCommand(prices, needs, {
    description: "list every price: your own, and the catalogue's for the rest",
    examples: ["sluice price list --own", "sluice price list --search gpt"],
    call: priceCalls.list,
    columns: [
      "model",
      "input_micros_per_million",
      "output_micros_per_million",
      "cache_read_micros_per_million",
      "cache_write_micros_per_million",
      "image_micros",
      "second_micros",
      "call_micros",
      "source",
    ],
    short: { own: { text: "only your own", query: { source: "own" } } },
  });
  addPriceSync(prices, needs);
  addCallCommand(prices, "remove", needs, {
    description: "go back to the catalogue's price of a model",
    examples: ["sluice price remove gpt-5-mini"],
    call: priceCalls.remove,
    words: { model },
    text: ({ model: gone }) => `removed your own price of ${gone}`,
  });
}

const model = { text: "the public name of the model" };

function addSet(prices: Command, needs: CommandNeeds): void {
  let kept: JsonObject = {};
  addCallCommand(prices, "set", needs, {
    description: "set a model's price; parts that are not named stay as they are",
    examples: [
      "sluice price set gpt-5-mini --input '$0.25' --output '$2'",
      "sluice price set gpt-5 --input '$1.25' --output '$10' --tier service_tier.priority=200/200",
      "sluice price set deepseek-v4 --input '$0.27' --output '$1.10' \\\n" +
        "      --hours 'mon-fri 01:00-04:00 UTC 200/200'",
      "sluice price set videoB-2 --second '$0.10'",
    ],
    call: priceCalls.write,
    words: { model },
    options: {
      factors: { value: "name=in%/out%", read: pairOf(percents) },
      long_context: { value: "tokens=in%/out%", read: longContext },
      hours: { value: "days from-to zone in%/out%", read: hours },
    },
    async prepare({ fields, client, wanted, options: { yes, replace } }) {
      if (Object.keys(fields).length === 1) {
        throw new ControlError("say what of the price to set: --help lists it");
      }
      kept = replace === true ? {} : withoutFields(await partsNow(client, wanted), fields);
      const whole = { ...kept, ...fields };
      if (yes === true) return whole;
      const query = { model: fields["model"] };
      const known = await client.ask(priceCalls.known, { query });
      return (await isMeant(needs, known, fields)) ? whole : null;
    },
    text(_price, { wanted, fields }) {
      const set = `set the price of ${wanted}: ${tell(withoutFields(fields, kept))}`;
      return Object.keys(kept).length === 0 ? set : `${set}\n${tellKept(kept)}`;
    },
  })
    .option("--replace", "set the whole price: drop the parts that are not named")
    .option("--yes", "do not ask, however low it is");
}

/** Parts of the price that holds now, the operator's own or the catalogue's. */
async function partsNow(client: ControlClient, wanted: string): Promise<JsonObject> {
  const rows = await client.some(priceCalls.list, { q: wanted }, Number.POSITIVE_INFINITY);
  const row = rows.find(({ model: name }) => name === wanted);
  if (!row) return {};
  const { model: _model, source: _source, declared: _declared, ...parts } = row;
  return parts;
}

function withoutFields(all: JsonObject, others: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !Object.hasOwn(others, name)));
}

function tellKept(kept: JsonObject): string {
  const parts = Object.entries(kept).map(([name, value]) => {
    const flag = `--${flagOf(name)}`;
    return isMoneyName(name) && typeof value === "number" ? `${flag} ${dollars(value)}` : flag;
  });
  return `kept as it was: ${parts.join(", ")} (--replace drops what is not named)`;
}

const units: Readonly<Record<keyof LowestAmounts, string>> = {
  input_micros_per_million: "for a million prompt tokens",
  output_micros_per_million: "for a million output tokens",
  image_micros: "for an image",
  second_micros: "for a second",
  call_micros: "for a call",
};

/** Amounts among the fields, with their units. */
function amountsIn(fields: JsonObject) {
  return Object.entries(units).flatMap(([name, unit]) => {
    const micros = fields[name];
    return typeof micros === "number" ? [{ name: name as keyof LowestAmounts, micros, unit }] : [];
  });
}

function tell(fields: JsonObject): string {
  return amountsIn(fields)
    .map(({ micros, unit }) => `${dollars(micros)} ${unit}`)
    .join(", ");
}

/** Micros that were meant as dollars would give the model away. */
async function isMeant(
  { terminal }: CommandNeeds,
  { model: name, lowest, lowest_of_all: lowestOfAll }: KnownPrices,
  fields: JsonObject,
): Promise<boolean> {
  const low = amountsIn(fields).flatMap(({ name: amount, micros, unit }) => {
    const least = lowest[amount] ?? lowestOfAll[amount];
    if (least === null || micros >= least) return [];
    return [`${dollars(micros)} ${unit}, below ${dollars(least)}, the lowest known price`];
  });
  if (low.length === 0) return true;
  const words = `${name} would cost ${low.join("; ")}`;
  const question = `${words}. Set it all the same?`;
  const refusal =
    `refused: ${words}. Amounts without a $ are micros: two dollars are '$2'. ` +
    "To set it all the same, repeat the command with --yes";
  return await agreed(terminal, {}, { question, refusal });
}
