import type { JsonObject } from "../../core/json.ts";
import type { Operator } from "../../identity/caller.ts";
import type { AccessTokenView } from "../contract.ts";
import type { ControlParts } from "../parts.ts";
import { createUserToken } from "../user/access-token.ts";

/** For one's own account. */
export async function createToken(
  parts: ControlParts,
  operator: Operator,
  body: JsonObject,
): Promise<AccessTokenView> {
  return await createUserToken(parts, operator, { id: operator.accountId, body });
}
