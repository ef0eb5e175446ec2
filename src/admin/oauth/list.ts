// Lists providers, and who one is there.
import type { Operator } from "../../identity/caller.ts";
import { readIdentities, type IdentityRow } from "../../identity/oauth/queries.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { toSeconds } from "../input.ts";
import { cutPage, pageOf } from "../page.ts";
import type { IdentityCalls, IdentityView, ProviderView } from "./contract.ts";
import type { OAuthNeeds } from "./needs.ts";

/** For a page on which people sign in. */
export function listProviderViews({ oauth }: Pick<OAuthNeeds, "oauth">): ProviderView[] {
  return Array.from(oauth.providers.values(), ({ name, type }) => ({ name, type }));
}

/** Identities of one's own account at providers. */
export async function listIdentityViews(
  { database }: OAuthNeeds,
  { accountId }: Operator,
  { query }: InputOf<IdentityCalls["list"]>,
): Promise<Listed<IdentityView>> {
  const rows = await readIdentities(database, accountId);
  return cutPage(pageOf(query), rows.map(toView));
}

export function toView(row: IdentityRow): IdentityView {
  return {
    id: row.id,
    provider: row.provider,
    username: row.username,
    display_name: row.display_name,
    created_at: toSeconds(row.created_at_ms),
    last_used_at: toSeconds(row.used_at_ms),
  };
}
