// Access tokens: what scripts call the control plane with in the name of an account.
import { invalid } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Random } from "../../core/random.ts";
import { deleteTokens, insertToken, listTokens } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { findAccount, type AccountRow } from "../../identity/queries.ts";
import { createAccessToken, digest } from "../../identity/secrets.ts";
import type { AccessTokenView } from "../access-token/contract.ts";
import { noting, type NotingNeeds } from "../audit/entry.ts";
import { assertMayUse, assertPerson } from "../authority.ts";
import type { InputOf } from "../call.ts";
import { existing, readAccountId } from "../input.ts";
import { readExpiry } from "../moments.ts";
import type { UserCalls } from "./contract.ts";

export interface TokenNeeds extends NotingNeeds {
  random: Random;
}

/** The answer is the only time that the token's text is seen. */
export async function createUserToken(
  needs: TokenNeeds,
  operator: Operator,
  { id, body }: InputOf<UserCalls["createToken"]>,
): Promise<AccessTokenView> {
  const account = await findOwn(needs, operator, id);
  return await issueToken(needs, operator, { account, body });
}

interface Issue extends Pick<InputOf<UserCalls["createToken"]>, "body"> {
  account: AccountRow;
  /** It acts in this organisation alone. */
  organisationId?: AccountId;
}

export async function issueToken(
  needs: TokenNeeds,
  operator: Operator,
  { account, body, organisationId }: Issue,
): Promise<AccessTokenView> {
  const { name: label = "token", expires_at: expiry, read_only: isReadOnly = false } = body;
  const expiresAt = expiryOf(operator, expiry === undefined ? null : readExpiry(needs, expiry));
  const token = createAccessToken(needs.random);
  const tokenId = needs.ids.token();
  const changes = {
    account: account.username,
    name: label,
    ...(expiresAt !== null && { expires_at: expiresAt }),
    ...(isReadOnly && { read_only: true }),
    ...(organisationId !== undefined && { organisation: organisationId }),
  };
  const note = { action: "access_token.create", target: tokenId, changes } as const;
  await insertToken(noting(needs, operator, note).database, {
    id: tokenId,
    hash: digest(token),
    account_id: account.id,
    name: label,
    created_at_ms: needs.clock.nowMs(),
    expires_at_ms: expiresAt === null ? null : expiresAt * 1000,
    read_only: isReadOnly ? 1 : 0,
    organisation_id: organisationId ?? null,
  });
  const view = { id: tokenId, name: label, expires_at: expiresAt, read_only: isReadOnly };
  return { ...view, organisation_id: organisationId ?? null, token };
}

/** A token that ends must not make one that stays. */
function expiryOf({ expiresAtMs }: Operator, wanted: number | null): number | null {
  if (expiresAtMs === undefined) return wanted;
  const own = Math.floor(expiresAtMs / 1000);
  if (wanted !== null && wanted > own) {
    throw invalid("expires_at", "must not be later than that of the token it is made with");
  }
  return wanted ?? own;
}

export async function revokeUserTokens(
  needs: TokenNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<{ revoked: number }> {
  const account = await findOwn(needs, operator, id);
  const { total } = await listTokens(
    needs.database,
    { accountId: account.id },
    { offset: 0, limit: 1 },
  );
  if (total === 0) return { revoked: 0 };
  const changes = { account: account.username, all: true };
  const note = { action: "access_token.revoke", target: account.id, changes } as const;
  return { revoked: await deleteTokens(noting(needs, operator, note).database, account.id) };
}

async function findOwn(
  { database }: TokenNeeds,
  operator: Operator,
  id: string,
): Promise<AccountRow> {
  const account = existing(await findAccount(database, readAccountId(id)));
  await assertMayUse({ database }, operator, { account, permission: "access_tokens.make" });
  assertPerson(account);
  return account;
}
