// sluice price sync: what the published price list says of the models that channels serve.
import type { Command } from "commander";
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import {
  addJsonCommand,
  agreed,
  control,
  list,
  printJson,
  type CommandNeeds,
  type JsonOption,
} from "./command.ts";
import { price, renderTable, type Column } from "./table.ts";

const columns: readonly Column[] = [
  { title: "MODEL", from: "model" },
  { title: "CHANGE", from: "kind" },
  { title: "VENDOR", from: ({ vendor, by }) => (by === "name" ? `${vendor} (by name)` : vendor) },
  { title: "INPUT/M", from: (row) => shift(row, "input_micros_per_million") },
  { title: "OUTPUT/M", from: (row) => shift(row, "output_micros_per_million") },
  { title: "CACHE READ/M", from: (row) => shift(row, "cache_read_micros_per_million") },
  { title: "LONG CONTEXT", from: (row) => shift(row, "long_context") },
  { title: "CONTEXT", from: "context_tokens" },
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
    .option("--models <names>", "only these, by commas (default: all that channels serve)", list)
    .option("--dry-run", "only show it")
    .option("--yes", "do not ask")
    .action((options: SyncOptions) =>
      control(needs, async (client) => {
        const { models, dryRun, json } = options;
        const { terminal } = needs;
        const query = models ? `?${new URLSearchParams({ models: models.join(",") })}` : "";
        const proposed = await client.get(`/api/price/sync${query}`);
        if (dryRun && json) return printJson(terminal, proposed);
        const changes = changesIn(proposed).filter(isChange);
        if (!json && models === undefined && changesIn(proposed).length === 0) {
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
        const applied = await client.post("/api/price/sync", { models });
        if (json) printJson(terminal, applied);
        else if (changes.length > 0) terminal.write(`took over ${changes.length} prices\n`);
      }),
    );
}

function isChange({ kind }: JsonObject): boolean {
  return kind === "new" || kind === "changed";
}

export function changesIn(sync: Json): JsonObject[] {
  const changes = isObject(sync) ? sync["changes"] : null;
  return Array.isArray(changes) ? changes.filter(isObject) : [];
}

/** What stays the same is only counted. */
function describe(sync: Json): string {
  const all = changesIn(sync);
  const shown = all.filter(({ kind }) => kind !== "same");
  const same = all.length - shown.length;
  const name = isObject(sync) ? String(sync["list"]) : "";
  const table = shown.length > 0 ? renderTable(columns, shown) : "nothing to change\n";
  return `${name}: ${all.length} models, ${same} as they are\n${table}`;
}

/** The price that holds, and what would become of it. */
function shift({ before, after, kind }: JsonObject, field: string): string {
  const read = (of: Json | undefined) => show(isObject(of) ? of[field] : undefined);
  const [from, to] = [read(before), read(after)];
  if (kind === "unlisted" || from === to) return from;
  if (kind === "own") return `${from} (listed ${to})`;
  return kind === "new" ? to : `${from} -> ${to}`;
}

function show(value: Json | undefined): string {
  if (!isObject(value)) return price(value);
  const { above_tokens: above, input_percent: input, output_percent: output } = value;
  return `>${String(above)}: ${String(input)}/${String(output)} %`;
}
