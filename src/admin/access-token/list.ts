// Lists one's own access tokens.
import { listTokens, type AccessTokenRow, type TokenOwner } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { personOf } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { toSeconds, toSecondsOrNull } from "../input.ts";
import { pageOf, toListed } from "../page.ts";
import type { TokenNeeds } from "../user/access-token.ts";
import type { AccessTokenCalls, ListedAccessToken } from "./contract.ts";

/** One's own, without their texts. */
export async function listTokenViews(
  { database }: TokenNeeds,
  operator: Operator,
  { query }: InputOf<AccessTokenCalls["list"]>,
): Promise<Listed<ListedAccessToken>> {
  const page = pageOf(query);
  const { items, total } = await listTokens(database, tokensOf(operator), page);
  return toListed(page, items.map(toView), total);
}

export function toView(row: AccessTokenRow): ListedAccessToken {
  return {
    id: row.id,
    name: row.name,
    created_at: toSeconds(row.created_at_ms),
    expires_at: toSecondsOrNull(row.expires_at_ms),
    read_only: row.read_only === 1,
    organisation_id: row.organisation_id,
  };
}

/** A person sees all of its own; in the scope of an organisation those that act there. */
export function tokensOf(operator: Operator): TokenOwner {
  const { accountId } = personOf(operator);
  return { accountId, ...(operator.seat && { organisationId: operator.accountId }) };
}
