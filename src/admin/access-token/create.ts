// Makes an access token for one's own account.
import type { JsonObject } from "../../core/json.ts";
import type { Operator } from "../../identity/caller.ts";
import type { AccessTokenView } from "../contract.ts";
import type { TokenNeeds } from "../user/access-token.ts";
import { createUserToken } from "../user/access-token.ts";

/** For one's own account. */
export async function createToken(
  needs: TokenNeeds,
  operator: Operator,
  body: JsonObject,
): Promise<AccessTokenView> {
  return await createUserToken(needs, operator, { id: operator.accountId, body });
}
