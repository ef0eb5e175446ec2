// Revokes an access token of one's own.
import { deleteToken } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { noting } from "../audit/entry.ts";
import { orNotFound, readTokenId } from "../input.ts";
import { tokensOf } from "./list.ts";
import type { TokenNeeds } from "../user/access-token.ts";

/** One of one's own, at once. */
export async function revokeToken(
  needs: TokenNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  const tokenId = readTokenId(id);
  const note = { action: "access_token.revoke", target: tokenId } as const;
  const { store, database } = noting(needs, operator, note);
  await orNotFound(deleteToken(store, database, tokensOf(operator), tokenId));
  return { id: tokenId };
}
