// sluice price: what models cost.
import type { Command } from "commander";
import {
  addJsonCommand,
  addListCommand,
  control,
  pair,
  printOne,
  wholeOption,
  type CommandNeeds,
  type JsonOption,
} from "./command.ts";
import type { Column } from "./table.ts";

interface PriceOptions extends JsonOption {
  input?: number;
  output?: number;
  cacheRead?: number;
  cacheWrite?: number;
  cacheWrite1h?: number;
  audio?: number;
  tool?: Record<string, string>;
  image?: number;
  second?: number;
  call?: number;
}

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
  addList(prices, needs);
}

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
    .option("--tool <name=micros>", "for a call of a hosted tool; repeatable", pair)
    .option("--image <micros>", "for one image", wholeOption)
    .option("--second <micros>", "for one second of video", wholeOption)
    .option("--call <micros>", "for one call", wholeOption)
    .action((model: string, options: PriceOptions) =>
      control(needs, async (client) => {
        const price = await client.post("/api/price", {
          model,
          input_micros_per_million: options.input,
          output_micros_per_million: options.output,
          cache_read_micros_per_million: options.cacheRead,
          cache_write_micros_per_million: options.cacheWrite,
          cache_write_1h_micros_per_million: options.cacheWrite1h,
          audio_output_micros_per_million: options.audio,
          tool_micros: options.tool && toNumbers(options.tool),
          image_micros: options.image,
          second_micros: options.second,
          call_micros: options.call,
        });
        printOne(needs.terminal, price, `set the price of ${model}`, options);
      }),
    );
}

function toNumbers(amounts: Readonly<Record<string, string>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => [name, Number(amount)]),
  );
}

function addList(prices: Command, needs: CommandNeeds): void {
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
