// sluice model: one name for a chain or a weighted set of models.
import { InvalidArgumentError, type Command } from "commander";
import { virtualModelCalls, type VirtualModelView } from "../admin/virtual-model/contract.ts";
import type { JsonObject } from "../core/json.ts";
import { addCallCommand, addListCommand } from "./call-command.ts";
import type { CommandNeeds } from "./command.ts";
import { list } from "./readers.ts";

const name = { text: "what requests ask for" };

export function addVirtualModelCommands(program: Command, needs: CommandNeeds): void {
  const models = program
    .command("model")
    .description("set, list and remove names that stand for several models");
  addCallCommand(models, "set", needs, {
    description: "make a virtual model, or replace it as a whole",
    examples: [
      "sluice model set best --member chatA --member 'chatB when=load,refused'",
      "sluice model set fast --member 'chatA weight=90' --member 'chatB weight=10'",
      "sluice model set cheap --member chatA --prefer cost",
    ],
    call: virtualModelCalls.write,
    words: { name },
    options: { members: null },
    prepare: ({ fields, options: { member } }) => ({ ...fields, members: member ?? [] }),
    text: (_set, { wanted }) => `set the virtual model ${wanted}`,
  }).requiredOption(
    "--member <model>",
    "a model, in their order; behind it weight=, when= and window= where they are needed",
    member,
  );
  addListCommand(models, needs, {
    description: "list the virtual models and their members",
    examples: ["sluice model list"],
    call: virtualModelCalls.list,
    columns: [
      "name",
      ["MEMBERS", ({ members }) => members.map(shown).join(" > ")],
      "price",
      "hidden",
      "declared",
    ],
  });
  addCallCommand(models, "remove", needs, {
    description: "remove a virtual model",
    examples: ["sluice model remove fast"],
    call: virtualModelCalls.remove,
    words: { name: { text: "its name" } },
    text: (_gone, { wanted }) => `removed ${wanted}`,
  });
}

function shown({ model, weight, served }: VirtualModelView["members"][number]): string {
  const share = weight === null ? "" : ` (${weight})`;
  return `${model}${share}${served ? "" : " (unserved)"}`;
}

/** `chatA weight=90 when=fault,load window=200000` */
function member(text: string, before: JsonObject[] = []): JsonObject[] {
  const [model = "", ...words] = text.trim().split(/\s+/);
  const facts = words.map((word): [string, JsonObject[string]] => {
    const [fact = "", value = ""] = word.split("=");
    if (fact === "when") return ["when", list(value)];
    if (fact !== "weight" && fact !== "window") {
      throw new InvalidArgumentError("Behind the model stand weight=, when= or window=.");
    }
    if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError(`${fact} is a whole number.`);
    return [fact === "window" ? "window_tokens" : fact, Number(value)];
  });
  return [...before, { model, ...Object.fromEntries(facts) }];
}
