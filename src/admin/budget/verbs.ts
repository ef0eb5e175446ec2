// Budgets: each call with its function.
import { bind } from "../bind.ts";
import { changeBudget } from "./change.ts";
import { budgetCalls } from "./contract.ts";
import { correctBudget } from "./correct.ts";
import { createBudget } from "./create.ts";
import { listBudgets, listWindows, readBudget } from "./list.ts";
import { raiseBudget } from "./raise.ts";
import { removeBudget } from "./remove.ts";
import { renewBudget } from "./renew.ts";
import { readKeyBudgets, readOwnBudgets } from "./state.ts";

export const budgetVerbs = bind(budgetCalls, {
  list: listBudgets,
  create: createBudget,
  self: readOwnBudgets,
  ofKey: readKeyBudgets,
  read: readBudget,
  change: changeBudget,
  renew: renewBudget,
  raise: raiseBudget,
  correct: correctBudget,
  windows: listWindows,
  remove: removeBudget,
});
