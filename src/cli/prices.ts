// sluice price: what models cost.
import { InvalidArgumentError, type Command } from "commander";
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import {
  addJsonCommand,
  addListCommand,
  agreed,
  control,
  fieldsOf,
  moneyOption,
  pair,
  printOne,
  type CommandNeeds,
  type CommandOptions,
  type JsonOption,
} from "./command.ts";
import type { ControlClient } from "./control-client.ts";
import { addPriceSync } from "./price-sync.ts";
import { dollars, price, type Column } from "./table.ts";

const inDollars = (title: string, field: string): Column => ({
  title,
  from: ({ [field]: micros }) => price(micros),
});

/** Tokens by the million. */
const columns: readonly Column[] = [
  { title: "MODEL", from: "model" },
  inDollars("INPUT/M", "input_micros_per_million"),
  inDollars("OUTPUT/M", "output_micros_per_million"),
  inDollars("CACHE READ/M", "cache_read_micros_per_million"),
  inDollars("CACHE WRITE/M", "cache_write_micros_per_million"),
  inDollars("IMAGE", "image_micros"),
  inDollars("SECOND", "second_micros"),
  inDollars("CALL", "call_micros"),
  { title: "SOURCE", from: "source" },
];

export function addPriceCommands(program: Command, needs: CommandNeeds): void {
  const prices = program
    .command("price")
    .description("set and list prices, in US dollars; amounts without a $ are micros");
  addSet(prices, needs);
  addListCommand(prices, needs, {
    description: "list every price: your own, and the catalogue's for the rest",
    examples: ["sluice price list --own"],
    columns,
    async read(client, { own }: JsonOption & { own?: true }) {
      const all = await client.all("/api/price");
      return own ? all.filter(({ source }) => source === "own") : all;
    },
  }).option("--own", "only your own");
  addPriceSync(prices, needs);
}

const renamed = {
  input: "input_micros_per_million",
  output: "output_micros_per_million",
  cacheRead: "cache_read_micros_per_million",
  cacheWrite: "cache_write_micros_per_million",
  cacheWrite1h: "cache_write_1h_micros_per_million",
  audioInput: "audio_input_micros_per_million",
  audio: "audio_output_micros_per_million",
  tool: "tool_micros",
  tier: "factors",
  longContext: "long_context",
  hours: "hours",
  image: "image_micros",
  second: "second_micros",
  call: "call_micros",
  outputMax: "output_tokens_max",
};

function addSet(prices: Command, needs: CommandNeeds): void {
  addJsonCommand(prices, "set", {
    description: "set the whole price of a model, instead of the one it had",
    examples: [
      "sluice price set gpt-5-mini --input '$0.25' --output '$2'",
      "sluice price set gpt-5 --input '$1.25' --output '$10' --tier service_tier.priority=200/200",
      "sluice price set deepseek-v4 --input '$0.27' --output '$1.10' \\\n" +
        "      --hours 'mon-fri 01:00-04:00 UTC 200/200'",
      "sluice price set videoB-2 --second '$0.10'",
    ],
  })
    .argument("<model>", "the public name of the model")
    .option("--input <money>", "for a million prompt tokens", moneyOption)
    .option("--output <money>", "for a million output tokens", moneyOption)
    .option("--cache-read <money>", "for a million tokens read from a cache", moneyOption)
    .option("--cache-write <money>", "for a million tokens written to a cache", moneyOption)
    .option("--cache-write-1h <money>", "for a million written for an hour", moneyOption)
    .option("--audio-input <money>", "for a million tokens of spoken input", moneyOption)
    .option("--audio <money>", "for a million tokens of spoken output", moneyOption)
    .option("--tool <name=money>", "for a call of a hosted tool; repeatable", amount)
    .option("--tier <name=in%/out%>", "what tokens of a tier cost, in percent; repeatable", tier)
    .option("--long-context <tokens=in%/out%>", "the same for longer input", longContext)
    .option("--hours <days from-to zone in%/out%>", "what hours cost; repeatable", hours)
    .option("--image <money>", "for one image", moneyOption)
    .option("--second <money>", "for one second of video", moneyOption)
    .option("--call <money>", "for one call", moneyOption)
    .option("--output-max <tokens>", "the most that it answers; by default by its name", tokens)
    .option("--yes", "do not ask, however low it is")
    .action((model: string, { yes, ...options }: CommandOptions) =>
      control(needs, async (client) => {
        const fields = fieldsOf(options, renamed);
        const isSure = yes === true || (await isMeant(needs, client, { model, fields }));
        if (!isSure) return needs.terminal.write("nothing was changed\n");
        const set = await client.post("/api/price", { model, ...fields });
        printOne(needs.terminal, set, `set the price of ${model}: ${tell(fields)}`, options);
      }),
    );
}

const units: Readonly<Record<string, string>> = {
  input_micros_per_million: "for a million prompt tokens",
  output_micros_per_million: "for a million output tokens",
  image_micros: "for an image",
  second_micros: "for a second",
  call_micros: "for a call",
};

function tell(fields: JsonObject): string {
  const amounts = Object.entries(units).flatMap(([name, unit]) =>
    typeof fields[name] === "number" ? [`${dollars(fields[name])} ${unit}`] : [],
  );
  return amounts.join(", ");
}

/** Micros that were meant as dollars would give the model away. */
async function isMeant(
  { terminal }: CommandNeeds,
  client: ControlClient,
  { model, fields }: { model: string; fields: JsonObject },
): Promise<boolean> {
  const known = await client.get(`/api/price/known?${new URLSearchParams({ model })}`);
  const low = Object.entries(units).flatMap(([name, unit]) => {
    const [newPrice, least] = [fields[name], lowestOf(known, name)];
    if (typeof newPrice !== "number" || least === null || newPrice >= least) return [];
    return [`${dollars(newPrice)} ${unit}, below ${dollars(least)}, the lowest known price`];
  });
  if (low.length === 0) return true;
  const words = `${model} would cost ${low.join("; ")}`;
  return await agreed(
    terminal,
    {},
    {
      question: `${words}. Set it all the same?`,
      refusal:
        `refused: ${words}. Amounts without a $ are micros: two dollars are '$2'. ` +
        "To set it all the same, repeat the command with --yes",
    },
  );
}

/** Of the model, or where nobody sells it of any model. */
function lowestOf(known: Json, name: string): number | null {
  const read = (amounts: Json | undefined) => (isObject(amounts) ? amounts[name] : undefined);
  const [own, any] = isObject(known)
    ? [read(known["lowest"]), read(known["lowest_of_all"])]
    : [null, null];
  if (typeof own === "number") return own;
  return typeof any === "number" ? any : null;
}

function tokens(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

/** What a tool of this name costs. */
function amount(text: string, before: Record<string, number> = {}): Record<string, number> {
  const [[name, value] = ["", ""]] = Object.entries(pair(text));
  return { ...before, [name]: moneyOption(value) };
}

interface Percents {
  input_percent: number;
  output_percent: number;
}

function tier(text: string, before: Record<string, Percents> = {}): Record<string, Percents> {
  const [[name, value] = ["", ""]] = Object.entries(pair(text));
  return { ...before, [name]: percents(value) };
}

function longContext(text: string): Percents & { above_tokens: number } {
  const [[tokens, value] = ["", ""]] = Object.entries(pair(text));
  return { above_tokens: Number(tokens), ...percents(value) };
}

type Hours = Percents & { days?: string; from: string; to: string; zone: string };

/** Without days it is every day. */
function hours(text: string, before: readonly Hours[] = []): readonly Hours[] {
  const words = text.trim().split(/\s+/);
  const [times = "", zone = "", factor = ""] = words.slice(-3);
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(times) ?? [];
  if (from === undefined || to === undefined || words.length > 4) {
    throw new InvalidArgumentError("It must be such as: mon-fri 09:00-18:00 Asia/Shanghai 200/200");
  }
  const [days] = words.length === 4 ? words : [];
  return [...before, { ...(days && { days }), from, to, zone, ...percents(factor) }];
}

function percents(text: string): Percents {
  const [, input, output] = /^(\d{1,5})%?\/(\d{1,5})%?$/.exec(text) ?? [];
  if (input === undefined || output === undefined) {
    throw new InvalidArgumentError("It must end with two percents such as 200/150.");
  }
  return { input_percent: Number(input), output_percent: Number(output) };
}
