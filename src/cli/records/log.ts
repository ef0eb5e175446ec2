// sluice log: the requests, one by one.
import type { Command } from "commander";
import { logCalls, type LogView } from "../../admin/log/contract.ts";
import { sleep, systemTimers } from "../../core/clock.ts";
import { addLimit, addListCommand, addOwn } from "../call-command.ts";
import {
  addJsonCommand,
  control,
  printJson,
  type CommandNeeds,
  type CommandOptions,
  type JsonOption,
} from "../command.ts";
import { ControlError } from "../control-client.ts";
import { queryOptions } from "../options.ts";
import { dollars, momentText, renderFields } from "../table.ts";
import { recordOptions, recordQuery } from "./names.ts";

interface LogOptions extends JsonOption {
  own?: true;
  limit?: number;
  follow?: true;
}

const pageSizeMax = 100;
const followMs = 1000;
/** Most rows that are looked for between two looks. */
const burstMax = 5000;
const usual = 20;
const own = logCalls.listOwn;

export function addLogCommands(program: Command, needs: CommandNeeds): void {
  const log = program.command("log").description("read the log of requests");
  addListCommand(log, needs, {
    description: "list requests, the newest first",
    examples: ["sluice log list --status 503", "sluice log list --account alice --from today"],
    call: logCalls.list,
    own,
    options: recordOptions,
    prepare: recordQuery,
    columns: [
      "time",
      ["REQUEST", "request_id"],
      "status",
      "account",
      ["KEY", "key_name"],
      "model",
      "channel",
      ["INPUT", "input_tokens"],
      ["OUTPUT", "output_tokens"],
      ["COST", "micros"],
      ["MS", "latency_ms"],
      ["ERROR", "error_code"],
      ["MESSAGE", messageOf],
    ],
    usual,
  });
  addTail(log, needs);
  addShow(log, needs);
}

function addTail(log: Command, needs: CommandNeeds): void {
  const fields = queryOptions(logCalls.list.query, recordOptions);
  const tail = addJsonCommand(log, "tail", {
    description: "show the last requests, the newest last; one JSON object a line for programs",
    examples: ["sluice log tail --follow", "sluice log tail --follow --status 503 --json"],
  });
  addOwn(addLimit(fields.addTo(tail), usual))
    .option("--follow", "go on with those that come, until it is interrupted")
    .action((options: CommandOptions & LogOptions) =>
      control(needs, async (client) => {
        const query = await recordQuery(client, fields.read(options));
        const call = options.own ? own : logCalls.list;
        await follow((limit) => client.some(call, query, limit), options, needs);
      }),
    );
}

async function follow(
  read: (limit: number) => Promise<LogView[]>,
  options: LogOptions,
  { terminal }: CommandNeeds,
): Promise<void> {
  const print = (rows: readonly LogView[]) => {
    for (const row of rows) terminal.write(options.json ? `${JSON.stringify(row)}\n` : lineOf(row));
  };
  const { limit = usual } = options;
  let rows = await read(Math.max(limit, pageSizeMax));
  print(rows.slice(0, limit).toReversed());
  while (options.follow) {
    await sleep(systemTimers, followMs);
    // A long request has its row late, so the newest are compared and not the times.
    const seen = new Set(rows.map(nameOf));
    const isNew = (row: LogView) => !seen.has(nameOf(row));
    rows = await read(pageSizeMax);
    if (rows.length === pageSizeMax && rows.every(isNew)) rows = await read(burstMax);
    print(rows.filter(isNew).toReversed());
  }
}

/** The message that the client got, or the fuller one where operators may read that. */
function messageOf({ error_message: message, error_detail: detail = null }: LogView) {
  return detail ?? message;
}

/** A task has two rows. */
function nameOf({ kind, request_id: id }: LogView): string {
  return `${kind} ${id}`;
}

const widths = [24, 32, 3, 12, 24, 14, 10, 8, 20];

function lineOf(row: LogView): string {
  const { request_id: id, status, account, model, channel, micros, latency_ms: ms } = row;
  const cells = [momentText(row.time), id, status, account, model, channel, dollars(micros)];
  const words = [...cells, `${ms} ms`, row.error_code ?? "", messageOf(row) ?? ""];
  const plain = words.map((word) => String(word ?? "-").replace(/\p{C}/gu, "?"));
  return `${plain
    .map((word, at) => word.padEnd(widths[at] ?? 0))
    .join("  ")
    .trimEnd()}\n`;
}

function addShow(log: Command, needs: CommandNeeds): void {
  const show = addJsonCommand(log, "show", {
    description: "show all that is known of a request, by the x-request-id of its answer",
    examples: ["sluice log show req_01jz3k7m2n"],
  }).argument("<request>", "the id of the request, or of the task that it made");
  addOwn(show).action((id: string, options: LogOptions) =>
    control(needs, async (client) => {
      const call = options.own ? own : logCalls.list;
      const { items } = await client.ask(call, { query: { request_id: id } });
      if (items.length === 0) throw new ControlError(`the log has no request ${id}`);
      if (options.json) printJson(needs.terminal, items);
      else needs.terminal.write(items.map(renderFields).join("\n"));
    }),
  );
}
