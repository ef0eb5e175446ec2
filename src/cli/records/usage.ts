// sluice usage: what was used, summed up.
import type { Command } from "commander";
import { isObject, type JsonObject } from "../../core/json.ts";
import { addJsonCommand, control, list, printJson, type CommandNeeds } from "../command.ts";
import type { ControlClient, Query } from "../control-client.ts";
import { renderCsv } from "./csv.ts";
import { pastOption } from "./moment-words.ts";
import { recordQuery, type RecordOptions } from "./names.ts";
import { dollars, renderTable, type Column } from "../table.ts";

interface UsageOptions extends RecordOptions {
  by: string[];
  own?: true;
  csv?: true;
  json?: true;
}

/** By what is asked for in `--by`. */
const dimensions: Readonly<Record<string, Column>> = {
  day: { title: "DAY", from: "day" },
  account: { title: "ACCOUNT", from: "account" },
  key: { title: "KEY", from: ({ key_name: name, key_id: id }) => name || id },
  model: { title: "MODEL", from: "model" },
  channel: { title: "CHANNEL", from: ({ channel, channel_id: id }) => channel ?? (id || "-") },
};

const measures: readonly Column[] = [
  { title: "REQUESTS", from: "requests" },
  { title: "FAILURES", from: "failures" },
  { title: "INPUT", from: "input_tokens" },
  { title: "CACHED", from: cachedShare },
  { title: "OUTPUT", from: "output_tokens" },
  { title: "IMAGES", from: "images" },
  { title: "SECONDS", from: "seconds" },
  { title: "COST", from: ({ micros }) => dollars(micros) },
];

/** Part of the input that came from prompt caches. */
function cachedShare({ cache_read_tokens: cached, input_tokens: input }: JsonObject): string {
  return typeof cached === "number" && typeof input === "number" && input > 0
    ? `${((cached / input) * 100).toFixed(1)} %`
    : "-";
}

export function addUsageCommand(program: Command, needs: CommandNeeds): void {
  addJsonCommand(program, "usage", {
    description: "sum up what was used, by day and whatever else is asked for",
    examples: [
      "sluice usage --from today --by account",
      "sluice usage --by day,model --account alice --from 2026-11-01 --to 2026-12-01",
      "sluice usage --by channel --from 7d --csv > channels.csv",
    ],
  })
    .option("--by <words>", "some of day, account, key, model, channel (default: day,model)", list)
    .option("--from <moment>", "today, yesterday, 7d or a day (default: 30 days)", pastOption)
    .option("--to <moment>", "the first day that is left out (default: tomorrow)", pastOption)
    .option("--account <user>", "only that of this account, by user name or id")
    .option("--key <key>", "only that of this key, by name or id")
    .option("--model <name>", "only that of this model")
    .option("--channel <channel>", "only that of this channel, by name or id")
    .option("--own", "only one's own, for an access token that is no admin's")
    .option("--csv", "print comma-separated values, money in micros")
    .action((options: UsageOptions) =>
      control(needs, async (client) => {
        const by = options.by ?? ["day", "model"];
        const query = { ...(await recordQuery(client, options)), by: by.join(",") };
        const { terminal } = needs;
        const read = await readUsage(client, options.own ? "/api/usage/self" : "/api/usage", query);
        if (options.json) printJson(terminal, read);
        else if (options.csv) terminal.write(renderCsv(read.items));
        else terminal.write(renderUsage(by, read));
      }),
    );
}

interface Usage extends JsonObject {
  items: JsonObject[];
  sum: JsonObject;
}

async function readUsage(client: ControlClient, path: string, query: Query): Promise<Usage> {
  const items = await client.all(path, query);
  const head = await client.get(`${path}?${new URLSearchParams({ ...query, page_size: "1" })}`);
  const { from = null, to = null, sum = null } = isObject(head) ? head : {};
  return { from, to, items, sum: isObject(sum) ? sum : {} };
}

function renderUsage(by: readonly string[], { items, sum }: Usage): string {
  if (items.length === 0) return "none\n";
  const columns = by.flatMap((word) => dimensions[word] ?? []);
  const [first, ...others] = columns;
  const all = {
    title: first?.title ?? "",
    from: (row: JsonObject) => (row === sum ? "all" : valueOf(first, row)),
  };
  return renderTable([...(first ? [all] : []), ...others, ...measures], [...items, sum]);
}

function valueOf(column: Column | undefined, row: JsonObject) {
  if (column === undefined) return undefined;
  return typeof column.from === "string" ? row[column.from] : column.from(row);
}
