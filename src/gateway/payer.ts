// The payer of a request, with the windows of budgets that it falls under. Somebody without budgets
// is the payer as is: nothing is looked up, nothing is made.
import type { BudgetAsk } from "../identity/budgets/budgets.ts";
import type { Caller } from "../identity/caller.ts";
import type { Wallet } from "../quota/balance.ts";
import type { Balances } from "../quota/balances.ts";

/** Null where something of it has to be read first. */
export function peekWallet(
  { balances }: { balances: Balances },
  caller: Caller,
  ask: BudgetAsk,
): Wallet | null {
  const { budgets } = caller;
  const caps = budgets?.peek(ask);
  if (caps === null) return null;
  const wallet = balances.peekWallet(caps ? { ...payerOf(caller), caps } : caller);
  return wallet && worded(wallet, caller);
}

export async function openWallet(
  { balances }: { balances: Balances },
  caller: Caller,
  ask: BudgetAsk,
): Promise<Wallet> {
  const { budgets } = caller;
  if (!budgets) return worded(await balances.wallet(caller), caller);
  const caps = await budgets.open(ask);
  return worded(await balances.wallet({ ...payerOf(caller), caps }), caller);
}

function payerOf({ accountId, keyId }: Caller): Pick<Caller, "accountId" | "keyId"> {
  return { accountId, keyId };
}

/** With what a refusal is to say of its money, and what not. */
function worded(wallet: Wallet, { shortageWords }: Caller): Wallet {
  return shortageWords ? { ...wallet, shortageWords } : wallet;
}

/**
 * Tell what is left of the budget that has the least, in micros, where answers do: of those whose
 * sums the caller is told.
 */
export function tellBudget(
  headers: Record<string, string>,
  { budgets }: Caller,
  caps: Wallet["caps"],
): void {
  if (!budgets?.tellsRest) return;
  const shown = caps.filter(({ budgetId }) => !budgets.unnamed?.has(budgetId));
  if (shown.length === 0) return;
  const rests = shown.map(({ limitMicros, spentMicros, heldMicros, whole }) => {
    const { limitMicros: limit, spentMicros: spent } = whole ?? { limitMicros, spentMicros };
    return limit - spent - heldMicros;
  });
  headers["x-sluice-budget-left"] = String(Math.max(0, Math.min(...rests)));
}
