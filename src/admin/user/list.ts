// Lists accounts.
import { entityStatuses } from "../../config/entities.ts";
import type { Operator } from "../../identity/caller.ts";
import { listAccounts } from "../../identity/listing/queries.ts";
import type { Listed, UserView } from "../contract.ts";
import { readPage, toListed } from "../page.ts";
import { readPrefix, readSort, readWord } from "../search.ts";
import { roles } from "./fields.ts";
import type { UserViewNeeds } from "./needs.ts";
import { viewRows } from "./view.ts";

export const userSorts = ["username", "created_at", "quota_micros", "used_micros"] as const;

export async function listUserViews(
  needs: UserViewNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<UserView>> {
  const page = readPage(query);
  const status = readWord(query, "status", entityStatuses);
  const role = readWord(query, "role", roles);
  const group = query.get("group");
  const order = readSort(query, userSorts);
  const filter = {
    ...readPrefix(query),
    ...(status && { status }),
    ...(role && { role }),
    ...(group && { group }),
    ...(order && { order }),
  };
  const { items, total } = await listAccounts(needs.database, filter, page);
  return toListed(page, await viewRows(needs, items), total);
}
