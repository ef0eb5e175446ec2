// Identities of somebody at other sites, for operators, with taking one off.
import type { Operator } from "../../identity/caller.ts";
import { deleteIdentity, readIdentities } from "../../identity/oauth/queries.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { exclusively } from "../exclusively.ts";
import { existing, readIdentityId } from "../input.ts";
import type { IdentityView } from "../oauth/contract.ts";
import { toView } from "../oauth/list.ts";
import { cutPage, pageOf } from "../page.ts";
import type { SignInNeeds } from "../session/needs.ts";
import type { PersonCalls } from "./contract.ts";
import { findPerson } from "./find.ts";

export async function listIdentitiesOf(
  needs: SignInNeeds,
  operator: Operator,
  { id, query }: InputOf<PersonCalls["listIdentities"]>,
): Promise<Listed<IdentityView>> {
  const account = await findPerson(needs, operator, id);
  return cutPage(pageOf(query), (await readIdentities(needs.database, account.id)).map(toView));
}

/** Also the last way in: an operator can give a password. Ends every session of the account. */
export async function unlinkIdentityOf(
  needs: SignInNeeds,
  operator: Operator,
  { id, part }: InputOf<PersonCalls["unlinkIdentity"]>,
): Promise<{ id: string }> {
  const account = await findPerson(needs, operator, id);
  const identityId = readIdentityId(part);
  return await exclusively(needs, "identity", async () => {
    const rows = await readIdentities(needs.database, account.id);
    const row = existing(rows.find((one) => one.id === identityId));
    const changes = { identity: row.id, provider: row.provider, username: row.username };
    const note = { action: "user.identity_unlink", target: account.id, changes } as const;
    const { store, database } = noting(needs, operator, note);
    await deleteIdentity(store, database, row, null);
    return { id: identityId };
  });
}
