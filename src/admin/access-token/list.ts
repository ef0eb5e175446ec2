// Lists one's own access tokens.
import { listTokens, type AccessTokenRow } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { toSeconds, toSecondsOrNull } from "../input.ts";
import { pageOf, toListed } from "../page.ts";
import type { TokenNeeds } from "../user/access-token.ts";
import type { AccessTokenCalls, ListedAccessToken } from "./contract.ts";

/** One's own, without their texts. */
export async function listTokenViews(
  { database }: TokenNeeds,
  { accountId }: Operator,
  { query }: InputOf<AccessTokenCalls["list"]>,
): Promise<Listed<ListedAccessToken>> {
  const page = pageOf(query);
  const { items, total } = await listTokens(database, accountId, page);
  return toListed(page, items.map(toView), total);
}

export function toView(row: AccessTokenRow): ListedAccessToken {
  return {
    id: row.id,
    name: row.name,
    created_at: toSeconds(row.created_at_ms),
    expires_at: toSecondsOrNull(row.expires_at_ms),
    read_only: row.read_only === 1,
  };
}
