// Makes an access token for one's own account, or for the organisation that one acts in.
import type { Operator } from "../../identity/caller.ts";
import { findAccount } from "../../identity/queries.ts";
import type { InputOf } from "../call.ts";
import { existing } from "../input.ts";
import { issueToken, type TokenNeeds } from "../user/access-token.ts";
import type { AccessTokenCalls, AccessTokenView } from "./contract.ts";
import { tokensOf } from "./list.ts";

/** It goes with its person, and acts by the seat that the person has at the time. */
export async function createToken(
  needs: TokenNeeds,
  operator: Operator,
  { body }: InputOf<AccessTokenCalls["create"]>,
): Promise<AccessTokenView> {
  const { accountId, ...bound } = tokensOf(operator);
  const account = existing(await findAccount(needs.database, accountId));
  return await issueToken(needs, operator, { account, body, ...bound });
}
