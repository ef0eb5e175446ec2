// Deletes an account for good. Its lines of the ledger stay, so that every sum still comes out; its
// name, its ways in and all that tells who it was go.
import { GatewayError } from "../../core/errors.ts";
import type { KeyViewNeeds } from "../key/view.ts";
import type { AccountId } from "../../core/ids.ts";
import { updateAccountAndEndSessions } from "../../identity/access/queries.ts";
import type { Authenticator } from "../../identity/authenticate.ts";
import type { Operator } from "../../identity/caller.ts";
import {
  countRoots,
  findAccount,
  findEvenDeleted,
  type AccountRow,
} from "../../identity/queries.ts";
import { isOwnedByOthers, readSeatsOf } from "../../identity/organisations/queries.ts";
import { forgetPerson } from "../../observe/forget-person/queries.ts";
import { noting } from "../audit/entry.ts";
import { exclusively } from "../exclusively.ts";
import { existing } from "../input.ts";
import { awaitLog, type RecordNeeds } from "../record-needs.ts";
import type { SignInNeeds } from "../session/needs.ts";
import { rootName } from "../user/fields.ts";
import { countOpenTasks, eraseAccount, readBooked } from "./queries.ts";

export interface EraseNeeds {
  people: SignInNeeds;
  authenticator: Authenticator;
  keys: KeyViewNeeds;
  records: Pick<RecordNeeds, "store" | "ledger">;
}

/** May be asked again where it was interrupted: what is gone already stays gone. */
export async function erase(
  needs: EraseNeeds,
  operator: Operator,
  accountId: AccountId,
): Promise<{ id: string }> {
  const { people, records } = needs;
  const before = existing(await findEvenDeleted(people.database, accountId));
  if (before.deleted_at_ms === null) {
    await shut(needs, operator, before);
    await people.store.sharing?.spread();
    await assertIdle(needs, accountId);
    await remove(needs, operator, before);
  }
  await awaitLog(records);
  await forgetPerson(records.store, accountId);
  people.log.info("an account was deleted for good", { account: accountId });
  return { id: accountId };
}

/** First nobody gets in any more, so that nothing new begins. */
async function shut(
  { people, authenticator }: EraseNeeds,
  operator: Operator,
  { id, username }: AccountRow,
): Promise<void> {
  if (username === rootName) {
    const message = "The account root stays: configuration and command line use it.";
    throw new GatewayError("conflict", { message });
  }
  await exclusively(people, "identity", async () => {
    const now = existing(await findAccount(people.database, id));
    const isLastRoot = now.role === "root" && now.status === "enabled";
    if (isLastRoot && (await countRoots(people.database)) === 1) {
      throw new GatewayError("conflict", { message: "The last root account cannot be deleted." });
    }
    await assertOwnsNone(people, id);
    if (now.status === "disabled") return;
    const changes = { status: { from: "enabled", to: "disabled" } };
    const note = { action: "user.change", target: id, changes } as const;
    const { store, database } = noting(people, operator, note);
    await updateAccountAndEndSessions(store, database, id, { status: "disabled" });
    authenticator.forget();
  });
}

/** An organisation must not be left without an owner. */
async function assertOwnsNone({ database }: SignInNeeds, id: AccountId): Promise<void> {
  const owned = (await readSeatsOf(database, id)).filter(({ role }) => role === "owner");
  for (const seat of owned) {
    if (await isOwnedByOthers(database, seat)) continue;
    const message =
      `The account is the only owner of the organisation ${seat.username}: hand it over first, ` +
      "or delete it.";
    throw new GatewayError("conflict", { message });
  }
}

/** Running requests are still to be charged or paid back, and their end would bring names back. */
async function assertIdle({ people }: EraseNeeds, id: AccountId): Promise<void> {
  const balance = existing(await people.balances.account(id));
  const tasks = await countOpenTasks(people.database, id);
  if (tasks === 0 && (await people.balances.isIdle(balance))) return;
  throw new GatewayError("conflict", {
    message:
      "The account is disabled now, but requests or tasks of it are still under way. Ask again " +
      "when they have ended, or cancel them first.",
  });
}

async function remove(
  { people, authenticator, records }: EraseNeeds,
  operator: Operator,
  { id }: AccountRow,
): Promise<void> {
  await exclusively(people, "identity", async () => {
    await records.store.applied();
    // Others may have left since nobody could get in any more.
    await assertOwnsNone(people, id);
    const booked = await readBooked(people.database, id);
    const name = `deleted-${id.slice("acc_".length)}`;
    const leaving = { accountId: id, name, nowMs: people.clock.nowMs(), booked };
    // An account that deletes itself is not named again.
    const { ip: _ip, ...unnamed } = { ...operator, username: "deleted" };
    const by = operator.accountId === id && !operator.seat ? unnamed : operator;
    const { store, database } = noting(people, by, { action: "user.erase", target: id });
    await eraseAccount(store, database, leaving);
    authenticator.forget();
  });
}
