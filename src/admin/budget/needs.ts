// Needs of the verbs of budgets.
import type { KnownBudgets } from "../../identity/budgets/budgets.ts";
import type { Balances } from "../../quota/balances.ts";
import type { Ledger } from "../../quota/ledger.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import type { Reload } from "../reload.ts";

export interface BudgetNeeds extends NotingNeeds {
  budgets: KnownBudgets;
  balances: Balances;
  ledger: Pick<Ledger, "settled">;
  reload: Reload;
}
