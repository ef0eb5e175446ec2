// Starting credit of a new account, where the operator gives any: a grant with its reason, booked
// once however often it is tried.
import type { Operator } from "../../identity/caller.ts";
import { micros } from "../../core/money.ts";
import type { AccountRow } from "../../identity/queries.ts";
import type { Balances } from "../../quota/balances.ts";
import type { Ledger } from "../../quota/ledger.ts";
import { findEntry } from "../../quota/queries.ts";
import { joinedEntry, type Actor, type NotingNeeds } from "../audit/entry.ts";
import { exclusively } from "../exclusively.ts";
import { existing } from "../input.ts";

export interface StartingCreditNeeds extends NotingNeeds {
  balances: Balances;
  ledger: Pick<Ledger, "grant">;
  accountRules: { readonly startingCreditMicros: number };
}

const reason = "starting credit";

export async function giveStartingCredit(
  needs: StartingCreditNeeds,
  by: Operator | Actor,
  { id: accountId }: Pick<AccountRow, "id">,
): Promise<void> {
  const { store, database, balances, ledger, accountRules } = needs;
  const amount = accountRules.startingCreditMicros;
  if (amount === 0) return;
  const id = `starting_${accountId}`;
  await exclusively(needs, "credits", async () => {
    await store.applied();
    if (await findEntry(database, id)) return;
    const account = existing(await balances.account(accountId));
    await ledger.grant({
      id,
      account,
      micros: micros(amount),
      reason,
      actor: "gateway",
      joined: (moved) => [
        joinedEntry(needs, by, {
          action: "user.credit",
          target: accountId,
          changes: { micros: moved, reason, entry: id },
        }),
      ],
    });
  });
}
