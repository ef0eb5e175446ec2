// Identities of somebody at other sites, for operators, with taking one off.
import type { Operator } from "../../identity/caller.ts";
import { readIdentities } from "../../identity/oauth/queries.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { exclusively } from "../exclusively.ts";
import { existing, readIdentityId } from "../input.ts";
import type { IdentityView } from "../oauth/contract.ts";
import { dropIdentity, type DropNeeds } from "../oauth/drop-identity.ts";
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
  needs: DropNeeds,
  operator: Operator,
  { id, part }: InputOf<PersonCalls["unlinkIdentity"]>,
): Promise<{ id: string }> {
  const account = await findPerson(needs, operator, id);
  const identityId = readIdentityId(part);
  return await exclusively(needs, "identity", async () => {
    const rows = await readIdentities(needs.database, account.id);
    const row = existing(rows.find((one) => one.id === identityId));
    await dropIdentity(needs, operator, { row, rows, kept: null });
    return { id: identityId };
  });
}
