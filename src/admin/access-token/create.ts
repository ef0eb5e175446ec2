// Makes an access token for one's own account.
import type { Operator } from "../../identity/caller.ts";
import type { InputOf } from "../call.ts";
import type { TokenNeeds } from "../user/access-token.ts";
import { createUserToken } from "../user/access-token.ts";
import type { AccessTokenCalls, AccessTokenView } from "./contract.ts";

/** For one's own account. */
export async function createToken(
  needs: TokenNeeds,
  operator: Operator,
  { body }: InputOf<AccessTokenCalls["create"]>,
): Promise<AccessTokenView> {
  return await createUserToken(needs, operator, { id: operator.accountId, body });
}
