// Money in and out of an account by hand: an entry of the ledger with its actor and its reason.
import { GatewayError, invalid } from "../../core/errors.ts";
import { dollarText, micros } from "../../core/money.ts";
import type { Operator } from "../../identity/caller.ts";
import { findAccount, type AccountRow } from "../../identity/queries.ts";
import { findEntry } from "../../quota/queries.ts";
import type { EntryTable } from "../../store/schema.ts";
import { assertMayEdit } from "../authority.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing, readAccountId, toSeconds } from "../input.ts";
import type { CreditView, UserCalls } from "./contract.ts";
import type { CreditInput } from "./fields.ts";
import type { UserNeeds } from "./needs.ts";
import { grantNoted, hasRoomFor } from "./grant.ts";
import { viewAccount } from "./read.ts";

export async function creditUser(
  needs: UserNeeds,
  operator: Operator,
  { id, body: wanted }: InputOf<UserCalls["credit"]>,
): Promise<CreditView> {
  if (wanted.micros === 0) throw invalid("micros", "must not be 0");
  const account = existing(await findAccount(needs.database, readAccountId(id)));
  await assertMayEdit(needs, operator, account);
  // A prefix of their own keeps chosen ids from ever being those of a request.
  const entryId = wanted.id === undefined ? needs.ids.operation() : `credit_${wanted.id}`;
  const booked = await exclusively(needs, "credits", () =>
    creditOnce(needs, operator, { account, wanted, entryId }),
  );
  const { quota_micros } = await viewAccount(needs, account.id);
  return { id: wanted.id ?? entryId, ...booked, quota_micros };
}

/** The journal never gives up on an entry, so an id that is taken must not even reach it. */
async function creditOnce(
  needs: UserNeeds,
  operator: Operator,
  { account, wanted, entryId }: { account: AccountRow; wanted: CreditInput; entryId: string },
): Promise<Pick<CreditView, "micros" | "repeated" | "booked_at">> {
  const { store, database, balances } = needs;
  await store.applied();
  const before = await findEntry(database, entryId);
  if (before) {
    const booked_at = toSeconds(before.at_ms);
    return { micros: moneyOfSame(before, account, wanted), repeated: true, booked_at };
  }
  const balance = existing(await balances.account(account.id));
  if (!hasRoomFor(balance, wanted.micros)) {
    throw invalid("micros", "would give the account more than it can hold");
  }
  const { reason } = wanted;
  const grant = { id: entryId, account: balance, micros: micros(wanted.micros), reason };
  const booked_at = toSeconds(needs.clock.nowMs());
  return { micros: await grantNoted(needs, operator, grant), repeated: false, booked_at };
}

/** The amount taken back may have been less than was asked for. */
function moneyOfSame(entry: EntryTable, account: AccountRow, { micros: wanted }: CreditInput) {
  const isSame = wanted > 0 ? entry.micros === wanted : entry.micros <= 0 && entry.micros >= wanted;
  if (entry.account_id === account.id && isSame) return entry.micros;
  const at = new Date(entry.at_ms).toISOString();
  const whose = entry.account_id === account.id ? "this account" : "another account";
  const booked = `${dollarText(entry.micros)} (${entry.micros} micros) for ${whose} at ${at}`;
  throw new GatewayError("conflict", {
    param: "id",
    message: `A credit with this id is booked already: ${booked}. A new credit needs a new id.`,
  });
}
