// Organisations of a person: those it is in, and making one.
import { GatewayError, invalid } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Operator } from "../../identity/caller.ts";
import { defaultGroup } from "../../identity/groups.ts";
import {
  insertOrganisation,
  readSeatsOf,
  type FoundSeat,
} from "../../identity/organisations/queries.ts";
import { findAccount } from "../../identity/queries.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing } from "../input.ts";
import { findNamedAccount } from "../named.ts";
import { assertNameFree, newAccount } from "../user/create.ts";
import type { OrganisationCalls, OwnSeatView } from "./contract.ts";
import type { OrganisationNeeds } from "./needs.ts";

/** So that nobody takes all the names; admins of the gateway are not bound. */
const ownedMax = 20;

export async function listOwnSeats(
  { database }: OrganisationNeeds,
  { accountId }: Operator,
): Promise<{ items: OwnSeatView[] }> {
  return { items: (await readSeatsOf(database, accountId)).map(toSeatView) };
}

export function toSeatView({ organisation_id: id, username: name, role }: FoundSeat): OwnSeatView {
  return { id, name, role };
}

export async function createOrganisation(
  needs: OrganisationNeeds,
  operator: Operator,
  { body: { name, owner } }: InputOf<OrganisationCalls["create"]>,
): Promise<OwnSeatView> {
  const isAdmin = operator.may.has("people.write");
  if (!isAdmin && needs.accountRules.organisations === "admins") {
    const message = "Organisations are made by admins of the gateway.";
    throw new GatewayError("permission_denied", { message });
  }
  if (!isAdmin && owner !== undefined)
    throw new GatewayError("permission_denied", { param: "owner" });
  const account = { ...newAccount(needs, { username: name, role: "user", group: defaultGroup }) };
  account.kind = "organisation";
  await exclusively(needs, "identity", async () => {
    const ownerId = await findOwner(needs, operator, owner);
    await assertNameFree(needs, name);
    if (!isAdmin) await assertRoom(needs, ownerId);
    const note = {
      action: "organisation.create",
      target: account.id,
      changes: { name, owner: ownerId },
    } as const;
    const { store, database } = noting(needs, operator, note);
    await insertOrganisation(store, database, account, {
      organisation_id: account.id,
      person_id: ownerId,
      role: "owner",
      source: "hand",
      created_at_ms: needs.clock.nowMs(),
      project_id: null,
      keys_until_ms: null,
    });
    needs.authenticator.forget();
  });
  return { id: account.id, name, role: "owner" };
}

async function findOwner(
  { database }: OrganisationNeeds,
  { accountId }: Operator,
  named: string | undefined,
): Promise<AccountId> {
  if (named === undefined) return existing(await findAccount(database, accountId)).id;
  const account = await findNamedAccount(database, named);
  if (!account || account.kind !== "person") throw invalid("owner", `names no person: ${named}`);
  return account.id;
}

async function assertRoom({ database }: OrganisationNeeds, ownerId: AccountId): Promise<void> {
  const seats = await readSeatsOf(database, ownerId);
  if (seats.filter(({ role }) => role === "owner").length < ownedMax) return;
  const message = `A person may own at most ${ownedMax} organisations.`;
  throw new GatewayError("conflict", { message });
}
