// sluice key: API keys.
import type { Command } from "commander";
import { isObject } from "../core/json.ts";
import {
  addJsonCommand,
  addListCommand,
  addRemoveCommand,
  control,
  fieldsOf,
  list,
  momentOption,
  moneyOption,
  pair,
  printOne,
  wholeOption,
  type CommandNeeds,
  type CommandOptions,
  type JsonOption,
} from "./command.ts";
import { ControlError } from "./control-client.ts";
import { usernameOf } from "./records/names.ts";
import { dollars, type Column } from "./table.ts";

const columns: readonly Column[] = [
  { title: "ID", from: "id" },
  { title: "NAME", from: "name" },
  { title: "KEY", from: "shown" },
  { title: "ACCOUNT", from: "account" },
  { title: "GROUP", from: "group" },
  { title: "QUOTA", from: ({ quota_micros: quota }) => dollars(quota) },
  { title: "USED", from: ({ used_micros: used }) => dollars(used) },
  { title: "STATUS", from: "status" },
];

export function addKeyCommands(program: Command, needs: CommandNeeds): void {
  const keys = program.command("key").description("make, list, change and revoke API keys");
  addCreate(keys, needs);
  addEdit(keys, needs);
  addListCommand(keys, needs, {
    description: "list the keys of every account",
    examples: ["sluice key list", "sluice key list --json"],
    columns,
    async read(client, { account }: JsonOption & { account?: string }) {
      const of = account === undefined ? {} : { account: await usernameOf(client, account) };
      return await client.all("/api/token", of);
    },
  }).option("--account <user>", "only the keys of this account, by user name or id");
  addRemoveCommand(keys, "revoke", needs, {
    description: "revoke a key for good, at once",
    examples: ["sluice key revoke laptop"],
    path: "/api/token",
    done: "revoked",
  }).argument("<key>", "its id, or its name where no other has it");
}

/** Options whose fields go by another name. */
const renamed = { quota: "quota_micros", expires: "expires_at", map: "model_mapping" };

/** What a key may do. */
function addTerms(command: Command): Command {
  return command
    .option("--group <name>", "whose channels and prices it uses (default: the account's)")
    .option("--quota <money>", "the most it may spend, such as '$5', or in micros", moneyOption)
    .option("--models <names>", "the only models it may use, by commas", list)
    .option("--map <name=model>", "a model name of its own; `*` is any text", pair)
    .option("--expires <time>", "unix seconds, or a date and time with its zone", momentOption)
    .option("--allow-ips <addresses>", "the only addresses it works from, by commas", list)
    .option("--requests-per-minute <count>", "how many requests a minute", wholeOption)
    .option("--tokens-per-minute <count>", "how many tokens a minute", wholeOption)
    .option("--concurrency <count>", "how many requests at once", wholeOption);
}

function addEdit(keys: Command, needs: CommandNeeds): void {
  const edit = addJsonCommand(keys, "edit", {
    description: "change what is named of a key and leave the rest",
    examples: [
      "sluice key edit laptop --quota '$10'",
      "sluice key edit laptop --map 'claude-haiku-*=chatA'",
      "sluice key edit laptop --log-content",
    ],
  })
    .argument("<key>", "its id, or its name where no other has it")
    .option("--name <name>", "another name");
  addTerms(edit)
    .option("--log-content", "keep its prompts and answers, where the gateway keeps any")
    .option("--no-log-content", "keep none of them any more")
    .action((wanted: string, options: CommandOptions) =>
      control(needs, async (client) => {
        const known = Object.entries(options).filter(([, value]) => value !== undefined);
        const changes = fieldsOf(Object.fromEntries(known), renamed);
        const names = Object.keys(changes);
        if (names.length === 0) throw new ControlError("say what to change: --help lists it");
        const id = await client.find("/api/token", "name", wanted);
        const changed = await client.patch(`/api/token/${id}`, changes);
        printOne(needs.terminal, changed, `changed ${names.join(", ")}`, options);
      }),
    );
}

function addCreate(keys: Command, needs: CommandNeeds): void {
  const create = addJsonCommand(keys, "create", {
    description: "make a key; its text is shown once",
    examples: [
      "sluice key create laptop",
      "sluice key create trial --quota '$5' --expires 2030-01-01T00:00:00Z",
    ],
  })
    .argument("<name>", "what to call it")
    .option("--account <user>", "who pays, by user name or id (default: root)");
  addTerms(create)
    .option("--log-content", "keep its prompts and answers, where the gateway keeps any")
    .action((name: string, options: CommandOptions) =>
      control(needs, async (client) => {
        const { account } = options;
        const payer =
          typeof account === "string" ? { account: await usernameOf(client, account) } : {};
        const body = { name, ...fieldsOf(options, renamed), ...payer };
        const created = await client.post("/api/token", body);
        const { key, id } = isObject(created) ? created : {};
        const text = `${String(key)}\n\nThis is ${String(id)}. Its text is not shown again.`;
        printOne(needs.terminal, created, text, options);
      }),
    );
}
