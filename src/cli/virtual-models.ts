// sluice model: one name for a chain or a weighted set of models.
import { InvalidArgumentError, Option, type Command } from "commander";
import { isObject, type JsonObject } from "../core/json.ts";
import {
  addJsonCommand,
  addListCommand,
  control,
  list,
  pair,
  printOne,
  type CommandNeeds,
  type JsonOption,
} from "./command.ts";
import { ControlError } from "./control-client.ts";
import type { Column } from "./table.ts";

const columns: readonly Column[] = [
  { title: "NAME", from: "name" },
  { title: "MEMBERS", from: ({ members }) => showMembers(members) },
  { title: "PRICE", from: "price" },
  { title: "HIDDEN", from: "hidden" },
  { title: "GROUPS", from: ({ groups }) => (Array.isArray(groups) ? groups.join(", ") : "all") },
  { title: "DECLARED", from: "declared" },
];

function showMembers(members: JsonObject[string]): string {
  const all = Array.isArray(members) ? members.filter(isObject) : [];
  return all
    .map(({ model, weight, served }) => {
      const share = typeof weight === "number" ? ` (${weight})` : "";
      return `${String(model)}${share}${served === false ? " (unserved)" : ""}`;
    })
    .join(" > ");
}

export function addVirtualModelCommands(program: Command, needs: CommandNeeds): void {
  const models = program
    .command("model")
    .description("set, list and remove names that stand for several models");
  addSet(models, needs);
  addListCommand(models, needs, {
    description: "list the virtual models and their members",
    examples: ["sluice model list"],
    columns,
    read: (client) => client.all("/api/virtual-model"),
  });
  addJsonCommand(models, "remove", {
    description: "remove a virtual model",
    examples: ["sluice model remove fast"],
  })
    .argument("<name>", "its name")
    .action((name: string, options: JsonOption) =>
      control(needs, async (client) => {
        const gone = await client.remove(`/api/virtual-model?${new URLSearchParams({ name })}`);
        printOne(needs.terminal, gone, `removed ${name}`, options);
      }),
    );
}

interface SetOptions extends JsonOption {
  members?: string[];
  weight?: Record<string, string>;
  when?: Record<string, string>;
  window?: Record<string, string>;
  price?: string;
  replyModel?: string;
  hidden?: true;
  groups?: string[];
}

function addSet(models: Command, needs: CommandNeeds): void {
  addJsonCommand(models, "set", {
    description: "make a virtual model, or replace it as a whole",
    examples: [
      "sluice model set best --members chatA,chatB --when chatB=fault,load,context,refused",
      "sluice model set fast --members chatA,chatB --weight chatA=90 --weight chatB=10",
    ],
  })
    .argument("<name>", "what requests ask for")
    .requiredOption("--members <models>", "the models in their order, by commas", list)
    .option("--weight <model=share>", "its share of the conversations", pair)
    .option("--when <model=reasons>", "what it is asked for, by commas", pair)
    .option("--window <model=tokens>", "the most input that it reads", pair)
    .addOption(
      new Option("--price <whose>", "charged as served, or at the name's own price").choices([
        "served",
        "own",
      ]),
    )
    .addOption(
      new Option("--reply-model <whose>", "the name that replies carry").choices([
        "asked",
        "served",
      ]),
    )
    .option("--hidden", "lists of models do not have it")
    .option("--groups <names>", "the only groups whose keys may use it, by commas", list)
    .action((name: string, options: SetOptions) =>
      control(needs, async (client) => {
        const set = await client.post("/api/virtual-model", toBody(name, options));
        printOne(needs.terminal, set, `set the virtual model ${name}`, options);
      }),
    );
}

function toBody(name: string, options: SetOptions): JsonObject {
  const { members = [], weight = {}, when = {}, window = {} } = options;
  for (const model of Object.keys({ ...weight, ...when, ...window })) {
    if (!members.includes(model)) throw new ControlError(`${model} is none of the members`);
  }
  const { price, replyModel, hidden, groups } = options;
  return {
    name,
    members: members.map((model) => ({
      model,
      ...(weight[model] !== undefined && { weight: count(weight[model]) }),
      ...(when[model] !== undefined && { when: list(when[model]) }),
      ...(window[model] !== undefined && { window_tokens: count(window[model]) }),
    })),
    ...(price !== undefined && { price }),
    ...(replyModel !== undefined && { reply_model: replyModel }),
    ...(hidden && { hidden }),
    ...(groups !== undefined && { groups }),
  };
}

function count(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}
