// sluice price sync: what the published price list says of the models that channels serve.
import type { Command } from "commander";
import { priceCalls, type PriceChange, type PriceSync } from "../admin/price/contract.ts";
import type { PriceInput } from "../config/entities.ts";
import { isObject, type Json } from "../core/json.ts";
import {
  addJsonCommand,
  agreed,
  control,
  printJson,
  type CommandNeeds,
  type JsonOption,
} from "./command.ts";
import { list } from "./readers.ts";
import { price, renderTable, type Column } from "./table.ts";

const columns: readonly Column<PriceChange>[] = [
  "model",
  ["CHANGE", "kind"],
  ["VENDOR", ({ vendor, by }) => (by === "name" ? `${vendor} (by name)` : vendor)],
  ["INPUT/M", (row) => shift(row, "input_micros_per_million")],
  ["OUTPUT/M", (row) => shift(row, "output_micros_per_million")],
  ["CACHE READ/M", (row) => shift(row, "cache_read_micros_per_million")],
  ["LONG CONTEXT", (row) => shift(row, "long_context")],
  ["CONTEXT", "context_tokens"],
];

interface SyncOptions extends JsonOption {
  models?: string[];
  dryRun?: true;
  yes?: true;
}

export function addPriceSync(prices: Command, needs: CommandNeeds): void {
  addJsonCommand(prices, "sync", {
    description: "show what the published price list would change, and take it over",
    examples: ["sluice price sync", "sluice price sync --models gpt-5,gpt-5-mini --yes"],
  })
    .option(
      "--models <names>",
      "only these, comma-separated (default: all that channels serve)",
      list,
    )
    .option("--dry-run", "only show it")
    .option("--yes", "do not ask")
    .action((options: SyncOptions) =>
      control(needs, async (client) => {
        const { models, dryRun, json } = options;
        const { terminal } = needs;
        const query = models ? { models: models.join(",") } : {};
        const proposed = await client.ask(priceCalls.showSync, { query });
        if (dryRun && json) return printJson(terminal, proposed);
        const changes = proposed.changes.filter(isChange);
        if (!json && models === undefined && proposed.changes.length === 0) {
          return terminal.write("no channel serves anything yet: sluice channel add\n");
        }
        if (!json) terminal.write(describe(proposed));
        if (dryRun) return;
        if (changes.length > 0) {
          const question = `Take over ${changes.length} prices?`;
          const refusal = "nothing was changed; to take them over, repeat the command with --yes";
          if (!(await agreed(terminal, options, { question, refusal }))) {
            return terminal.write("nothing was changed\n");
          }
        }
        const applied = await client.ask(priceCalls.sync, { body: { models } });
        if (json) printJson(terminal, applied);
        else if (changes.length > 0) terminal.write(`took over ${changes.length} prices\n`);
      }),
    );
}

function isChange({ kind }: PriceChange): boolean {
  return kind === "new" || kind === "changed";
}

/** Those that stay the same are only counted. */
function describe({ list: name, changes }: PriceSync): string {
  const shown = changes.filter(({ kind }) => kind !== "same");
  const same = changes.length - shown.length;
  const table = shown.length > 0 ? renderTable(columns, shown) : "nothing to change\n";
  return `${name}: ${changes.length} models, ${same} as they are\n${table}`;
}

/** The price that holds, and what would become of it. */
function shift({ before, after, kind }: PriceChange, field: keyof PriceInput): string {
  const [from, to] = [show(before?.[field]), show(after?.[field])];
  if (kind === "unlisted" || from === to) return from;
  if (kind === "own") return `${from} (listed ${to})`;
  return kind === "new" ? to : `${from} -> ${to}`;
}

function show(value: Json | undefined): string {
  if (!isObject(value)) return price(value);
  const { above_tokens: above, input_percent: input, output_percent: output } = value;
  return `>${String(above)}: ${String(input)}/${String(output)} %`;
}
