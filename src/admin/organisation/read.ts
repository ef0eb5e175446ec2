// Shows an organisation, renames it and sets its rules.
import type { Operator } from "../../identity/caller.ts";
import { readKeyRules, updateOfRules } from "../../identity/organisations/queries.ts";
import { findAccount, isSameName, updatesOfAccount } from "../../identity/queries.ts";
import { commitTogether } from "../../store/database.ts";
import { changesOf } from "../audit/changes.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing } from "../input.ts";
import { assertNameFree } from "../user/create.ts";
import { seesBalance, viewAccount } from "../user/read.ts";
import type { OrganisationCalls, OrganisationView } from "./contract.ts";
import type { OrganisationNeeds } from "./needs.ts";
import { seatOf } from "./seat.ts";

export async function readOrganisation(
  needs: OrganisationNeeds,
  operator: Operator,
): Promise<OrganisationView> {
  const account = await viewAccount(needs, operator.accountId);
  const seat = seatOf(operator);
  return {
    id: account.id,
    name: account.username,
    role: seat.role,
    group: account.group,
    ...(seesBalance(seat) && { quota_micros: account.quota_micros }),
    key_rules: JSON.parse(await readKeyRules(needs.database, operator.accountId)),
    created_at: account.created_at,
  };
}

export async function changeOrganisation(
  needs: OrganisationNeeds,
  operator: Operator,
  { body }: InputOf<OrganisationCalls["change"]>,
): Promise<OrganisationView> {
  const { accountId: id } = operator;
  await exclusively(needs, "identity", async () => {
    const { username } = existing(await findAccount(needs.database, id));
    const rules = await readKeyRules(needs.database, id);
    const { name = username, key_rules = JSON.parse(rules) } = body;
    if (!isSameName(name, username)) await assertNameFree(needs, name);
    const before = { name: username, key_rules: JSON.parse(rules) };
    const changes = changesOf(before, { name, key_rules });
    if (Object.keys(changes).length === 0) return;
    const note = { action: "organisation.change", target: id, changes } as const;
    const { store, database } = noting(needs, operator, note);
    await commitTogether(store, [
      ...updatesOfAccount(database, id, { username: name }),
      updateOfRules(database, id, JSON.stringify(key_rules)),
    ]);
    needs.authenticator.forget();
  });
  return await readOrganisation(needs, { ...operator });
}
