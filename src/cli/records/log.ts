// sluice log: the requests, one by one.
import type { Command } from "commander";
import { sleep, systemTimers } from "../../core/clock.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import {
  addJsonCommand,
  control,
  printJson,
  printRows,
  wholeOption,
  type CommandNeeds,
  type JsonOption,
} from "../command.ts";
import { ControlError, rowsOf, type ControlClient, type Query } from "../control-client.ts";
import { renderFields } from "./fields.ts";
import { pastOption } from "./moment-words.ts";
import { recordQuery, type RecordOptions } from "./names.ts";
import { dollars, type Column } from "../table.ts";

interface LogOptions extends RecordOptions, JsonOption {
  status?: number;
  own?: true;
  limit?: number;
  follow?: true;
}

const columns: readonly Column[] = [
  { title: "TIME", from: ({ time }) => timeOf(time) },
  { title: "REQUEST", from: "request_id" },
  { title: "STATUS", from: "status" },
  { title: "ACCOUNT", from: "account" },
  { title: "KEY", from: "key_name" },
  { title: "MODEL", from: "model" },
  { title: "CHANNEL", from: "channel" },
  { title: "INPUT", from: "input_tokens" },
  { title: "OUTPUT", from: "output_tokens" },
  { title: "COST", from: ({ micros }) => dollars(micros) },
  { title: "MS", from: "latency_ms" },
  { title: "ERROR", from: "error_code" },
];

const listedUsual = 20;
const pageSizeMax = 100;
const followMs = 1000;
/** What may come between two looks. */
const burstMax = 5000;

export function addLogCommands(program: Command, needs: CommandNeeds): void {
  const log = program.command("log").description("read the log of requests");
  addFilters(
    addJsonCommand(log, "list", {
      description: "list requests, the newest first",
      examples: ["sluice log list --status 503", "sluice log list --account alice --from today"],
    }),
  ).action((options: LogOptions) =>
    control(needs, async (client) => {
      printRows(needs.terminal, await readRows(client, options), columns, options);
    }),
  );
  addTail(log, needs);
  addShow(log, needs);
}

function addFilters(command: Command): Command {
  return command
    .option("--account <user>", "only those of this account, by user name or id")
    .option("--key <key>", "only those of this key, by name or id")
    .option("--model <name>", "only those of this model")
    .option("--channel <channel>", "only those on this channel, by name or id")
    .option("--status <status>", "only those that were answered with it", wholeOption)
    .option("--from <moment>", "today, yesterday, 30m, 12h, 7d, a day or unix seconds", pastOption)
    .option("--to <moment>", "the moment after the last one", pastOption)
    .option("--limit <count>", `how many at most (default: ${listedUsual})`, wholeOption)
    .option("--own", "only one's own, for an access token that is no admin's");
}

function addTail(log: Command, needs: CommandNeeds): void {
  addFilters(
    addJsonCommand(log, "tail", {
      description: "show the last requests, the newest last; one JSON object a line for programs",
      examples: ["sluice log tail --follow", "sluice log tail --follow --status 503 --json"],
    }),
  )
    .option("--follow", "go on with those that come, until it is interrupted")
    .action((options: LogOptions) => control(needs, (client) => tail(client, options, needs)));
}

async function tail(
  client: ControlClient,
  options: LogOptions,
  { terminal }: CommandNeeds,
): Promise<void> {
  const print = (rows: readonly JsonObject[]) => {
    for (const row of rows) terminal.write(options.json ? `${JSON.stringify(row)}\n` : lineOf(row));
  };
  const { limit = listedUsual } = options;
  let rows = await readRows(client, { ...options, limit: Math.max(limit, pageSizeMax) });
  print(rows.slice(0, limit).toReversed());
  while (options.follow) {
    await sleep(systemTimers, followMs);
    // A long request has its row late, so the newest are compared and not the times.
    const seen = new Set(rows.map(nameOf));
    const isNew = (row: JsonObject) => !seen.has(nameOf(row));
    rows = await readRows(client, { ...options, limit: pageSizeMax });
    if (rows.length === pageSizeMax && rows.every(isNew)) {
      rows = await readRows(client, { ...options, limit: burstMax });
    }
    print(rows.filter(isNew).toReversed());
  }
}

/** A task has two rows. */
function nameOf({ kind, request_id: id }: JsonObject): string {
  return `${String(kind)} ${String(id)}`;
}

const widths = [24, 32, 3, 12, 24, 14, 10, 8];

function lineOf(row: JsonObject): string {
  const { request_id: id, status, account, model, channel, micros, latency_ms: ms } = row;
  const cells = [timeOf(row["time"]), id, status, account, model, channel, dollars(micros)];
  const words = [...cells, `${String(ms)} ms`, row["error_code"] ?? ""];
  const plain = words.map((word) => String(word ?? "-").replace(/\p{C}/gu, "?"));
  return `${plain
    .map((word, at) => word.padEnd(widths[at] ?? 0))
    .join("  ")
    .trimEnd()}\n`;
}

function addShow(log: Command, needs: CommandNeeds): void {
  addJsonCommand(log, "show", {
    description: "show all that is known of a request, by the x-request-id of its answer",
    examples: ["sluice log show req_01jz3k7m2n"],
  })
    .argument("<request>", "the id of the request, or of the task that it made")
    .option("--own", "only one's own, for an access token that is no admin's")
    .action((id: string, options: LogOptions) =>
      control(needs, async (client) => {
        const query = new URLSearchParams({ request_id: id });
        const rows = rowsOf(await client.get(`${pathOf(options)}?${query}`));
        if (rows.length === 0) throw new ControlError(`the log has no request ${id}`);
        if (options.json) printJson(needs.terminal, rows);
        else needs.terminal.write(rows.map(renderFields).join("\n"));
      }),
    );
}

async function readRows(client: ControlClient, options: LogOptions): Promise<JsonObject[]> {
  const { status, limit = listedUsual } = options;
  const filter = await recordQuery(client, options);
  const query: Query = { ...filter, ...(status !== undefined && { status: String(status) }) };
  const rows: JsonObject[] = [];
  let cursor: Json = "";
  while (typeof cursor === "string" && rows.length < limit) {
    const size = String(Math.min(limit - rows.length, pageSizeMax));
    const paged = { ...query, page_size: size, ...(cursor !== "" && { cursor }) };
    const page = await client.get(`${pathOf(options)}?${new URLSearchParams(paged)}`);
    rows.push(...rowsOf(page));
    cursor = isObject(page) ? (page["next"] ?? null) : null;
  }
  return rows;
}

function pathOf({ own }: LogOptions): string {
  return own ? "/api/log/self" : "/api/log";
}

function timeOf(time: Json | undefined): string {
  return typeof time === "number" ? new Date(time * 1000).toISOString() : "-";
}
