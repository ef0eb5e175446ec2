// sluice usage: what was used, summed up.
import type { Command } from "commander";
import { usageCalls, type ListedUsage, type UsageView } from "../../admin/usage/contract.ts";
import type { JsonObject } from "../../core/json.ts";
import { addOwn } from "../call-command.ts";
import {
  addJsonCommand,
  control,
  printJson,
  type CommandNeeds,
  type CommandOptions,
} from "../command.ts";
import type { ControlClient } from "../control-client.ts";
import { queryOptions } from "../options.ts";
import { list } from "../readers.ts";
import { renderTable, type Column } from "../table.ts";
import { renderCsv } from "./csv.ts";
import { recordOptions, recordQuery } from "./names.ts";

interface UsageOptions extends CommandOptions {
  by?: string[];
  own?: true;
  csv?: true;
}

/** Columns by the words of `--by`. */
const dimensions: Readonly<Record<string, (row: UsageView) => string | null | undefined>> = {
  day: ({ day }) => day,
  account: ({ account }) => account,
  key: ({ key_name: name, key_id: id }) => name || id,
  model: ({ model }) => model,
  label: ({ label }) => label || "-",
  channel: ({ channel, channel_id: id }) => channel ?? (id || "-"),
};

const measures: readonly Column<UsageView>[] = [
  "requests",
  "failures",
  ["INPUT", "input_tokens"],
  ["CACHED", cachedShare],
  ["OUTPUT", "output_tokens"],
  "images",
  "seconds",
  ["COST", "micros"],
];

/** Columns that only an admin's token gets. */
const ofOperators: readonly Column<UsageView>[] = [
  ["VENDORS TAKE", "cost_micros"],
  ["MARGIN", "margin_micros"],
];

/** Part of the input that came from prompt caches. */
function cachedShare({ cache_read_tokens: cached, input_tokens: input }: UsageView): string {
  return input > 0 ? `${((cached / input) * 100).toFixed(1)} %` : "-";
}

export function addUsageCommand(program: Command, needs: CommandNeeds): void {
  const fields = queryOptions(usageCalls.list.query, {
    ...recordOptions,
    by: { value: "words", text: `some of ${Object.keys(dimensions).join(", ")}`, read: list },
  });
  const usage = addJsonCommand(program, "usage", {
    description: "sum up what was used, by day and whatever else is asked for",
    examples: [
      "sluice usage --from today --by account",
      "sluice usage --by day,model --account alice --from 2026-11-01 --to 2026-12-01",
      "sluice usage --by channel --from 7d --csv > channels.csv",
    ],
  });
  addOwn(fields.addTo(usage))
    .option("--csv", "print comma-separated values, money in micros")
    .action((options: UsageOptions) =>
      control(needs, async (client) => {
        const { terminal } = needs;
        const by = options.by ?? ["day", "model"];
        const query = await recordQuery(client, { ...fields.read(options), by: by.join(",") });
        const read = await readUsage(client, options, query);
        if (options.json) printJson(terminal, read);
        else if (options.csv) terminal.write(renderCsv(read.items));
        else terminal.write(renderUsage(by, read));
      }),
    );
}

async function readUsage(client: ControlClient, { own }: UsageOptions, query: JsonObject) {
  const call = own ? usageCalls.listOwn : usageCalls.list;
  const items = await client.all(call, query);
  const { from, to, sum } = await client.ask(call, { query: { ...query, page_size: 1 } });
  return { from, to, items, sum };
}

function renderUsage(
  by: readonly string[],
  { items, sum }: Pick<ListedUsage, "items" | "sum">,
): string {
  if (items.length === 0) return "none\n";
  const columns = by.flatMap((word, at): Column<UsageView>[] => {
    const read = dimensions[word];
    if (!read) return [];
    return [[word.toUpperCase(), (row) => (at === 0 && row === sum ? "all" : read(row))]];
  });
  const rows: UsageView[] = [...items, sum];
  const known = sum.margin_micros === undefined ? measures : [...measures, ...ofOperators];
  return renderTable([...columns, ...known], rows);
}
