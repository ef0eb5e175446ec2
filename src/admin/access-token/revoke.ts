import { GatewayError } from "../../core/errors.ts";
import { deleteToken } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { readTokenId } from "../input.ts";
import type { ControlParts } from "../parts.ts";

/** One of one's own, at once. */
export async function revokeToken(
  { database }: ControlParts,
  { accountId }: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  const tokenId = readTokenId(id);
  if (!(await deleteToken(database, accountId, tokenId))) throw new GatewayError("not_found");
  return { id: tokenId };
}
