// sluice price: what models cost.
import type { Command } from "commander";
import {
  addJsonCommand,
  addListCommand,
  control,
  pair,
  fieldsOf,
  printOne,
  wholeOption,
  type CommandNeeds,
  type CommandOptions,
  type JsonOption,
} from "./command.ts";
import type { Column } from "./table.ts";

const columns: readonly Column[] = [
  { title: "MODEL", from: "model" },
  { title: "INPUT", from: "input_micros_per_million" },
  { title: "OUTPUT", from: "output_micros_per_million" },
  { title: "CACHE READ", from: "cache_read_micros_per_million" },
  { title: "CACHE WRITE", from: "cache_write_micros_per_million" },
  { title: "IMAGE", from: "image_micros" },
  { title: "SECOND", from: "second_micros" },
  { title: "CALL", from: "call_micros" },
  { title: "SOURCE", from: "source" },
];

export function addPriceCommands(program: Command, needs: CommandNeeds): void {
  const prices = program
    .command("price")
    .description("set and list prices, in micros (millionths of a US dollar)");
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
}

const renamed = {
  input: "input_micros_per_million",
  output: "output_micros_per_million",
  cacheRead: "cache_read_micros_per_million",
  cacheWrite: "cache_write_micros_per_million",
  cacheWrite1h: "cache_write_1h_micros_per_million",
  audio: "audio_output_micros_per_million",
  tool: "tool_micros",
  image: "image_micros",
  second: "second_micros",
  call: "call_micros",
};

function addSet(prices: Command, needs: CommandNeeds): void {
  addJsonCommand(prices, "set", {
    description: "set the whole price of a model, instead of the one it had",
    examples: [
      "sluice price set gpt-5-mini --input 250000 --output 2000000",
      "sluice price set videoB-2 --second 100000",
    ],
  })
    .argument("<model>", "the public name of the model")
    .option("--input <micros>", "for a million prompt tokens", wholeOption)
    .option("--output <micros>", "for a million output tokens", wholeOption)
    .option("--cache-read <micros>", "for a million tokens read from a cache", wholeOption)
    .option("--cache-write <micros>", "for a million tokens written to a cache", wholeOption)
    .option("--cache-write-1h <micros>", "for a million written for an hour", wholeOption)
    .option("--audio <micros>", "for a million tokens of spoken output", wholeOption)
    .option("--tool <name=micros>", "for a call of a hosted tool; repeatable", amount)
    .option("--image <micros>", "for one image", wholeOption)
    .option("--second <micros>", "for one second of video", wholeOption)
    .option("--call <micros>", "for one call", wholeOption)
    .action((model: string, options: CommandOptions) =>
      control(needs, async (client) => {
        const price = await client.post("/api/price", { model, ...fieldsOf(options, renamed) });
        printOne(needs.terminal, price, `set the price of ${model}`, options);
      }),
    );
}

/** What a tool of this name costs, in numbers as the control plane takes them. */
function amount(text: string, before: Record<string, number> = {}): Record<string, number> {
  const [[name, value] = ["", ""]] = Object.entries(pair(text));
  return { ...before, [name]: Number(value) };
}
