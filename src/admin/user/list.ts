// Lists accounts.
import type { Operator } from "../../identity/caller.ts";
import { listAccounts } from "../../identity/listing/queries.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { pageOf, toListed } from "../page.ts";
import { toOrder } from "../search.ts";
import type { UserCalls, UserView } from "./contract.ts";
import type { UserViewNeeds } from "./needs.ts";
import { viewRows } from "./view.ts";

export async function listUserViews(
  needs: UserViewNeeds,
  _operator: Operator,
  { query }: InputOf<UserCalls["list"]>,
): Promise<Listed<UserView>> {
  const { q: prefix, status, role, kind, group, sort } = query;
  const page = pageOf(query);
  const filter = {
    ...(prefix && { prefix }),
    ...(status && { status }),
    ...(role && { role }),
    ...(kind && { kind }),
    ...(group && { group }),
    ...(sort && { order: toOrder(sort) }),
  };
  const { items, total } = await listAccounts(needs.database, filter, page);
  return toListed(page, await viewRows(needs, items), total);
}
