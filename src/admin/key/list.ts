// Lists API keys.
import { entityStatuses } from "../../config/entities.ts";
import type { Operator } from "../../identity/caller.ts";
import { listKeys } from "../../identity/listing/queries.ts";
import type { KeyView, Listed } from "../contract.ts";
import { readPage, toListed } from "../page.ts";
import { readPrefix, readSort, readWord } from "../search.ts";
import type { KeyNeeds } from "./needs.ts";
import { findNamed } from "./find.ts";
import { viewRow } from "./view.ts";

export const keySorts = ["name", "created_at", "used_micros", "last_used_at"] as const;

/** A user's own keys; an admin sees everyone's, or those of the `account` it names. */
export async function listKeyViews(
  needs: KeyNeeds,
  operator: Operator,
  query: URLSearchParams,
): Promise<Listed<KeyView>> {
  const page = readPage(query);
  const username = query.get("account") ?? (operator.role === "user" ? operator.username : null);
  const account = username === null ? null : await findNamed(needs, operator, username);
  const status = readWord(query, "status", entityStatuses);
  const group = query.get("group");
  const order = readSort(query, keySorts);
  const filter = {
    ...readPrefix(query),
    ...(account && { accountId: account.id }),
    ...(status && { status }),
    ...(group && { group }),
    ...(order && { order }),
  };
  const { items, total } = await listKeys(needs.database, filter, page);
  const views = await Promise.all(items.map((row) => viewRow(needs, row)));
  return toListed(page, views, total);
}
