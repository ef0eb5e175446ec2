// Takes an identity off an account, and with the last one of its provider all that the groups there
// gave: nobody would ever tell that it is over.
import type { SessionId } from "../../core/ids.ts";
import type { Authenticator } from "../../identity/authenticate.ts";
import type { Operator } from "../../identity/caller.ts";
import { deleteIdentity, type IdentityRow } from "../../identity/oauth/queries.ts";
import { changesOfLeaving, readSeatsOf } from "../../identity/organisations/queries.ts";
import { findAccount, updatesOfAccount } from "../../identity/queries.ts";
import { roleColumnsOf, roleOf } from "../../identity/roles/rights.ts";
import type { CommitStep } from "../../store/database.ts";
import { noting, type NotingNeeds } from "../audit/entry.ts";
import { sourceOf } from "./groups.ts";

export interface DropNeeds extends NotingNeeds {
  authenticator: Pick<Authenticator, "forget">;
}

interface Dropping {
  row: IdentityRow;
  /** All that the account has, this one too. */
  rows: readonly IdentityRow[];
  /** Session that goes on; null: none does. */
  kept: SessionId | null;
}

export async function dropIdentity(
  needs: DropNeeds,
  operator: Operator,
  { row, rows, kept }: Dropping,
): Promise<void> {
  const { id: identity, account_id: target, provider, username } = row;
  const isLast = !rows.some((one) => one.id !== identity && one.provider === provider);
  const { lost, steps } = isLast ? await givenThrough(needs, row) : { lost: [], steps: [] };
  const changes = { identity, provider, username, ...(lost.length > 0 && { lost }) };
  const note = { action: "user.identity_unlink", target, changes } as const;
  const { store, database } = noting(needs, operator, note);
  await deleteIdentity(store, database, row, { kept, steps });
  needs.authenticator.forget();
}

/** Seats and the role that came by the groups of its provider, and what ends them. */
async function givenThrough(
  { database, clock }: DropNeeds,
  { account_id: id, provider, given_role: givenRole }: IdentityRow,
): Promise<{ lost: string[]; steps: CommitStep[] }> {
  const account = await findAccount(database, id);
  const seats = (await readSeatsOf(database, id)).filter(
    ({ source }) => source === sourceOf(provider),
  );
  const role = account && givenRole !== null && roleOf(account) === givenRole ? givenRole : null;
  const nowMs = clock.nowMs();
  return {
    lost: [
      ...seats.map(({ organisation_id: organisation }) => organisation),
      ...(role === null ? [] : [role]),
    ],
    steps: [
      ...seats.flatMap((seat) => changesOfLeaving(database, { ...seat, keepsKeys: false, nowMs })),
      ...(role === null ? [] : updatesOfAccount(database, id, roleColumnsOf("user"))),
    ],
  };
}
