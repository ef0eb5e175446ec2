// The rest of the budgets of a key, for programs that hold it.
import { BudgetState } from "../../admin/budget/contract.ts";
import { readCallerBudgets, type BudgetStateNeeds } from "../../admin/budget/state.ts";
import { Type } from "../../core/schema.ts";
import { readLabel } from "../../observe/label.ts";
import { uncached } from "./routes.ts";
import type { KeyRoute } from "../route.ts";

const entry = {
  tag: "Billing",
  summary: "What is left of every budget that the key falls under",
  answer: Type.Object({ object: Type.Literal("list"), data: Type.Array(BudgetState) }),
};

export function budgetRoutes(needs: BudgetStateNeeds): KeyRoute[] {
  return [
    {
      method: "GET",
      path: "/v1/budget",
      policy: "key",
      carriers: ["bearer"],
      envelope: "a",
      isPaid: false,
      entry,
      serve: async ({ headers }, { caller }) =>
        uncached(await readCallerBudgets(needs, caller, readLabel(headers))),
    },
  ];
}
