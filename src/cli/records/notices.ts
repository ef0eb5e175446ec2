// sluice notice: what needed a person, and whether whoever is to be told can be reached.
import type { Command } from "commander";
import { isObject, type JsonObject } from "../../core/json.ts";
import {
  addJsonCommand,
  addListCommand,
  control,
  printJson,
  wholeOption,
  type CommandNeeds,
  type JsonOption,
} from "../command.ts";
import { ControlError, type ControlClient } from "../control-client.ts";
import type { Column } from "../table.ts";

interface NoticeOptions extends JsonOption {
  limit?: number;
}

const columns: readonly Column[] = [
  { title: "ID", from: "id" },
  { title: "AT", from: ({ at }) => new Date(Number(at) * 1000).toISOString() },
  { title: "KIND", from: "kind" },
  { title: "STATE", from: ({ ended_at: at }) => (at === null ? "open" : "ended") },
  { title: "TEXT", from: "text" },
];

const listedUsual = 20;

export function addNoticeCommands(program: Command, needs: CommandNeeds): void {
  const notices = program.command("notice").description("see what needed a person");
  addListCommand(notices, needs, {
    description: "list notices, the newest first",
    examples: ["sluice notice list", "sluice notice list --limit 100 --json"],
    columns,
    read: (client, options: NoticeOptions) => readNotices(client, options),
  }).option("--limit <count>", `how many at most (default: ${listedUsual})`, wholeOption);
  addJsonCommand(notices, "test", {
    description: "send a test to a destination of the configuration",
    examples: ["sluice notice test ops"],
  })
    .argument("<destination>", "its name")
    .action((destination: string, { json }: JsonOption) =>
      control(needs, async (client) => {
        const outcome = await client.post("/api/notice/test", { destination });
        if (json) printJson(needs.terminal, outcome);
        const { delivered, error } = isObject(outcome) ? outcome : {};
        if (delivered !== true) throw new ControlError(`it did not arrive: ${String(error)}`);
        if (!json) needs.terminal.write(`${destination} took it\n`);
      }),
    );
}

async function readNotices(client: ControlClient, options: NoticeOptions): Promise<JsonObject[]> {
  const { limit = listedUsual } = options;
  const rows: JsonObject[] = [];
  for await (const page of client.pages("/api/notice")) {
    rows.push(...page);
    if (rows.length >= limit) break;
  }
  return rows.slice(0, limit);
}
