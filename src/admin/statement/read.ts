// Statements are made of the ledger's own lines: what they begin and end with adds up by them.
import type { AccountId, KeyId } from "../../core/ids.ts";
import { findEvenDeleted, readKeyNames } from "../../identity/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { listGrants } from "../../quota/history/queries.ts";
import { sumCharges, sumMoney } from "../../quota/statement/queries.ts";
import type { InputOf } from "../call.ts";
import { existing, toSeconds } from "../input.ts";
import { toKeptCredit } from "../ledger/list.ts";
import { accountNamed } from "../named.ts";
import type { RecordNeeds } from "../record-needs.ts";
import type { Month, StatementCalls, StatementView } from "./contract.ts";

export async function readStatement(
  needs: RecordNeeds,
  _operator: Operator,
  { query }: InputOf<StatementCalls["read"]>,
): Promise<StatementView> {
  return await view(needs, existing(await accountNamed(needs, query.account)), query.month);
}

export async function readOwnStatement(
  needs: RecordNeeds,
  operator: Pick<Operator, "accountId">,
  { query }: InputOf<StatementCalls["readOwn"]>,
): Promise<StatementView> {
  return await view(needs, operator.accountId, query.month);
}

const creditsMost = 1000;

async function view(
  { database, ledger, store, clock }: RecordNeeds,
  accountId: AccountId,
  month = monthOf(clock.nowMs()),
): Promise<StatementView> {
  const account = existing(await findEvenDeleted(database, accountId));
  await ledger.settled();
  await store.applied();
  const { fromMs, toMs } = month;
  const stretch = { accountId, fromMs, toMs };
  const before = await sumMoney(database, { accountId, fromMs: 0, toMs: fromMs });
  const opening = before.granted - before.spent;
  const { granted } = await sumMoney(database, stretch);
  const charges = await sumCharges(database, stretch);
  const grants = await listGrants(database, stretch, { limit: creditsMost, offset: 0 });
  const spent = charges.reduce((sum, { micros }) => sum + micros, 0);
  const names = await readKeyNames(database, [
    ...new Set(charges.flatMap(({ keyId }): KeyId[] => (keyId === null ? [] : [keyId]))),
  ]);
  return {
    account: account.username,
    month: month.name,
    from: toSeconds(fromMs),
    to: toSeconds(toMs),
    is_over: clock.nowMs() >= toMs,
    opening_micros: opening,
    granted_micros: granted,
    spent_micros: spent,
    closing_micros: opening + granted - spent,
    credits: grants.items
      .map(toKeptCredit)
      .map(({ kind: _kind, ...credit }) => credit)
      .toReversed(),
    lines: charges.map(({ model, keyId, count, micros }) => ({
      model,
      key_id: keyId,
      key_name: names.get(keyId ?? "") ?? null,
      charges: count,
      micros,
    })),
  };
}

function monthOf(atMs: number): Month {
  const date = new Date(atMs);
  const at = (months: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
  return { name: date.toISOString().slice(0, 7), fromMs: at(0), toMs: at(1) };
}
