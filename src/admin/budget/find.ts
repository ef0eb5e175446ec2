// Finds a budget for someone who may know of it, or lets it not exist; and what it is for.
import type { BudgetScope } from "../../config/budget.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import type { AccountId, KeyId, ProjectId } from "../../core/ids.ts";
import { findBudget, readBudgets, type BudgetRow } from "../../identity/budgets/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { findProject, findSeat } from "../../identity/organisations/queries.ts";
import { findAccount, findKeyByName, findListedKey } from "../../identity/queries.ts";
import type { Database } from "../../store/database.ts";
import { readChannels } from "../../distribution/queries.ts";
import { assertMayUse, assertPermitted } from "../authority.ts";
import { existing, isId, readBudgetId } from "../input.ts";
import { findNamedAccount } from "../named.ts";
import type { BudgetNeeds } from "./needs.ts";

/** For reading. */
export async function findVisible(
  { database }: Pick<BudgetNeeds, "database">,
  operator: Operator,
  id: string,
): Promise<BudgetRow> {
  const row = existing(await findBudget(database, readBudgetId(id)));
  const isVisible = operator.may.has("budgets.read") || row.account_id === operator.accountId;
  if (!isVisible) throw new GatewayError("not_found");
  return row;
}

/** For changing: an account cannot lift what those who run the gateway have set. */
export async function findChangeable(
  needs: Pick<BudgetNeeds, "database">,
  operator: Operator,
  id: string,
): Promise<BudgetRow> {
  const row = await findVisible(needs, operator, id);
  if (row.scope === "channel") {
    assertPermitted(operator, "budgets.write");
    return row;
  }
  const account = existing(await findAccount(needs.database, row.account_id));
  await assertMayUse(needs, operator, { account, permission: "budgets.write" });
  if (!operator.may.has("budgets.write") && row.is_operators === 1) {
    const message = "This budget was set by those who run the gateway.";
    throw new GatewayError("permission_denied", { message });
  }
  return row;
}

interface SubjectAsk {
  accountId: AccountId;
  scope: BudgetScope;
  /** Name or id, as it was written. */
  subject?: string | undefined;
}

const labelPattern = /^[\w.:-]{1,64}$/;

/** The id that windows are under; throws the 400 that names the field. */
export async function findSubject(
  database: Database,
  { accountId, scope, subject }: SubjectAsk,
): Promise<string | null> {
  if (subject === undefined || scope === "account") return null;
  if (scope === "label") {
    if (!labelPattern.test(subject))
      throw invalid("subject", "is no label: letters, digits, . _ : -");
    return subject;
  }
  if (scope === "channel") return await findChannelSubject(database, subject);
  const id = await findPart(database, { accountId, scope, subject });
  if (id === null) throw invalid("subject", `names no ${scope} of the account: ${subject}`);
  return id;
}

async function findChannelSubject(database: Database, subject: string): Promise<string> {
  const channels = await readChannels(database);
  const channel = channels.find(({ id, name }) => id === subject || name === subject);
  if (!channel) throw invalid("subject", `names no channel: ${subject}`);
  return channel.id;
}

async function findPart(
  database: Database,
  { accountId, scope, subject }: SubjectAsk & { subject: string },
): Promise<string | null> {
  if (scope === "key") {
    const key = isId(subject, "key_")
      ? await findListedKey(database, subject as KeyId)
      : await findKeyByName(database, accountId, subject);
    return key?.account_id === accountId ? key.id : null;
  }
  if (scope === "member") {
    const person = await findNamedAccount(database, subject);
    return person && (await findSeat(database, accountId, person.id))?.person_id ? person.id : null;
  }
  const by = isId(subject, "prj_") ? { id: subject as ProjectId } : { name: subject };
  return (await findProject(database, accountId, by))?.id ?? null;
}

/** Most caps that one request moves. */
const capsMax = 8;
const budgetsMax = 200;

/** No request may ever fall under more budgets than are moved in one step. */
export async function assertRoom({ database }: BudgetNeeds, added: BudgetRow): Promise<void> {
  const all = await readBudgets(database);
  const isBeside = (row: BudgetRow) =>
    row.account_id === added.account_id && isOfChannels(row) === isOfChannels(added);
  const others = all.filter((row) => row.id !== added.id && isBeside(row));
  if (others.length >= budgetsMax) {
    const message = `An account may have at most ${budgetsMax} budgets.`;
    throw new GatewayError("conflict", { message });
  }
  if (mostAtOnce([...others, added]) <= capsMax) return;
  const message = `A request could fall under more than ${capsMax} budgets; delete one first.`;
  throw new GatewayError("conflict", { message });
}

/** Channels have windows beside those of any account. */
function isOfChannels({ scope }: Pick<BudgetRow, "scope">): boolean {
  return scope === "channel";
}

/** Budgets of the account, of each, and the most of any one subject, whatever the models. */
function mostAtOnce(rows: readonly BudgetRow[]): number {
  const scopes = Map.groupBy(rows, ({ scope }) => scope);
  return [...scopes.values()].reduce((sum, ofScope) => {
    const bySubject = Map.groupBy(ofScope, ({ subject_id: id }) => id);
    const ofEach = bySubject.get(null)?.length ?? 0;
    const ofOne = [...bySubject].map(([id, all]) => (id === null ? 0 : all.length));
    return sum + ofEach + Math.max(0, ...ofOne);
  }, 0);
}
