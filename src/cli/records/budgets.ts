// sluice budget: what accounts and their parts may spend in a time.
import type { Command } from "commander";
import { budgetCalls, type BudgetView } from "../../admin/budget/contract.ts";
import { addCallCommand, addListCommand } from "../call-command.ts";
import type { CommandNeeds } from "../command.ts";
import { list } from "../readers.ts";
import { dollars } from "../table.ts";

const of = {
  list: budgetCalls.list,
  nameField: "name",
  word: ["budget", "its id, or its name where no other has it"],
} as const;

const marks = { value: "percents", read: (text: string) => list(text).map(Number) };

export function addBudgetCommands(program: Command, needs: CommandNeeds): void {
  const budgets = program
    .command("budget")
    .description("make, list, change, renew, correct and remove budgets");
  addCallCommand(budgets, "create", needs, {
    description:
      "make a budget: of an account, of each or one of its keys and labels, or of channels",
    examples: [
      "sluice budget create month --account alice --limit '$100'",
      "sluice budget create 'each key' --scope key --limit '$5' --period day --mode hard",
      "sluice budget create contract --scope channel --subject vendor-a --limit '$500'",
    ],
    call: budgetCalls.create,
    words: { name: { text: "what to call it" } },
    options: {
      account: { value: "user", text: "who pays, by user name or id (default: oneself)" },
      marks,
    },
    text: ({ id, name }) => `made ${name}, ${id}`,
  });
  addCallCommand(budgets, "edit", needs, {
    description: "change what is named of a budget and leave the rest",
    examples: ["sluice budget edit month --limit '$150'"],
    call: budgetCalls.change,
    of,
    options: { marks },
    text: (_budget, { fields }) => `changed ${Object.keys(fields).join(", ")}`,
  });
  addListCommand(budgets, needs, {
    description: "list budgets with what is spent of them",
    examples: ["sluice budget list", "sluice budget list --account alice"],
    call: budgetCalls.list,
    columns: [
      "id",
      "name",
      "account",
      ["FOR", forWhom],
      ["LIMIT", ({ limit_micros: limit }) => dollars(limit)],
      "period",
      "mode",
      ["SPENT", ({ now }) => (now ? dollars(now.spent_micros) : "-")],
      "status",
    ],
  });
  addWindowCommands(budgets, needs);
  addCallCommand(budgets, "remove", needs, {
    description: "remove a budget; what was spent stays in the book",
    examples: ["sluice budget remove month"],
    call: budgetCalls.remove,
    of,
    text: ({ id }) => `removed ${id}`,
  });
}

function addWindowCommands(budgets: Command, needs: CommandNeeds): void {
  addCallCommand(budgets, "renew", needs, {
    description: "begin a new window now, with nothing spent",
    examples: ["sluice budget renew month", "sluice budget renew 'each key' --subject laptop"],
    call: budgetCalls.renew,
    of,
    text: ({ name }) => `a new window of ${name} has begun`,
  });
  addCallCommand(budgets, "raise", needs, {
    description: "change the limit of the open window alone",
    examples: ["sluice budget raise month --limit '$120'"],
    call: budgetCalls.raise,
    of,
    text: ({ limit_micros: limit }) => `the open window has ${dollars(limit)} until it ends`,
  });
  addCallCommand(budgets, "correct", needs, {
    description: "give open windows the limit that the budget and their raises make",
    examples: ["sluice budget correct month"],
    call: budgetCalls.correct,
    of,
    text: ({ name }) => `open windows of ${name} have the limit of the budget and their raises`,
  });
}

function forWhom({ scope, subject, subject_name: name }: BudgetView): string {
  if (scope === "account") return "account";
  return subject === null ? `each ${scope}` : `${scope} ${name ?? subject}`;
}
