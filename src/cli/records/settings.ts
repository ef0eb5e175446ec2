// sluice settings: what the gateway runs with, and changing it beside the configuration file.
import type { Command } from "commander";
import { settingCalls, type SettingView } from "../../admin/setting/contract.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { addCallCommand } from "../call-command.ts";
import {
  addJsonCommand,
  control,
  printRows,
  type CommandNeeds,
  type JsonOption,
} from "../command.ts";
import { ControlError } from "../control-client.ts";
import { isMoneyName, moneyOption } from "../readers.ts";
import { dollars } from "../table.ts";

interface ListOptions extends JsonOption {
  all?: true;
}

const name = { text: "as in the file, such as site.name" };

export function addSettingCommands(program: Command, needs: CommandNeeds): void {
  const settings = program
    .command("settings")
    .description("list and change what a running gateway is set to, beside its file");
  addList(settings, needs);
  addCallCommand(settings, "set", needs, {
    description: "set something; what the file or a variable says is stronger and refused",
    examples: [
      "sluice settings set site.name 'Our models'",
      "sluice settings set retention.log_days 30",
      "sluice settings set accounts.starting_credit_micros '$5'",
      `sluice settings set accounts.email_domains '["example.com"]'`,
    ],
    call: settingCalls.change,
    words: { name, value: { text: "a text, or JSON for all else" } },
    options: "none",
    async prepare({ client, wanted, fields }) {
      const { items } = await client.ask(settingCalls.read);
      const schema = items.find((one) => one.name === wanted)?.schema ?? {};
      const text = String(fields["value"]);
      if (isMoneyName(wanted)) return { changes: [{ name: wanted, value: readMoney(text) }] };
      return { changes: [{ name: wanted, value: isText(schema) ? text : toJson(text) }] };
    },
    text: ({ items }, { wanted }) => toldOf(wanted, items),
  });
  addCallCommand(settings, "unset", needs, {
    description: "take back what was set, so that the file or the default holds again",
    examples: ["sluice settings unset site.name"],
    call: settingCalls.change,
    words: { name },
    options: "none",
    prepare: ({ wanted }) => ({ changes: [{ name: wanted, value: null }] }),
    text: ({ items }, { wanted }) => toldOf(wanted, items),
  });
  addCallCommand(settings, "undo", needs, {
    description: "undo the last change of a setting; once more undoes that",
    examples: ["sluice settings undo site.name"],
    call: settingCalls.undo,
    words: { name },
    text: ({ items }, { wanted }) => toldOf(wanted, items),
  });
}

function addList(settings: Command, needs: CommandNeeds): void {
  addJsonCommand(settings, "list", {
    description: "list what is other than its default, each with where it comes from",
    examples: ["sluice settings list", "sluice settings list --all"],
  })
    .option("--all", "defaults too")
    .action((options: ListOptions) =>
      control(needs, async (client) => {
        const { items } = await client.ask(settingCalls.read);
        const rows = items.filter(
          ({ source, pending, stated }) =>
            options.all ||
            source !== "default" ||
            pending !== null ||
            (stated?.value ?? null) !== null,
        );
        printRows(needs.terminal, rows, columns, options);
      }),
    );
}

const columns = [
  "name",
  ["VALUE", ({ value }: SettingView) => toText(value)],
  "source",
  ["PLACE", ({ place, stated }: SettingView) => place ?? stated?.by ?? "-"],
  ["WAITS", waits],
] as const;

/** Value after a restart or a reload, or the reason that keeps it from holding. */
function waits({ pending, stated }: SettingView): string {
  if (stated?.problem) return `left out: ${stated.problem}`;
  return pending === null ? "-" : `${toText(pending)} after a restart`;
}

function toldOf(wanted: string, items: readonly SettingView[]): string {
  const [item] = items;
  if (!item) throw new ControlError(`there is no setting ${wanted}`);
  const amount = isMoneyName(item.name) && typeof item.value === "number";
  const dollarWords = amount ? ` (${dollars(item.value)})` : "";
  const now = `${item.name} is ${toText(item.value)}${dollarWords}, by ${item.source}`;
  return item.pending === null ? now : `${now}; ${toText(item.pending)} waits for a restart`;
}

/** Dollars or micros, as every option takes them; `null` is a setting's own word. */
function readMoney(text: string): Json {
  if (text === "null") return null;
  try {
    return moneyOption(text);
  } catch (error) {
    throw new ControlError(error instanceof Error ? error.message : String(error));
  }
}

function toText(value: Json): string {
  if (value === null) return "not set";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isText({ type, enum: words }: JsonObject): boolean {
  return (
    type === "string" || (Array.isArray(words) && words.every((one) => typeof one === "string"))
  );
}

/** Text that is no JSON stands for itself. */
function toJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
