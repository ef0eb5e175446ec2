// How sums of what was used are read, and what the reference says of it.
import type { QueryEntry } from "../../core/reference-entry.ts";
import { text } from "../../core/schema-words.ts";
import { pagesOf, span } from "../contract/basics.ts";
import { byKey, ofOthers } from "../search.ts";
import { verbsOf } from "../verb.ts";
import { ListedUsage } from "./contract.ts";
import { listOwnUsage, listUsageViews, usagePages } from "./list.ts";

const { verb } = verbsOf("Records");

/** What sums are wanted. */
export const usageFilter: QueryEntry = {
  ...span,
  by: { schema: text(), description: "Some of day, model, key; for admins also account, channel." },
  model: { schema: text() },
  ...byKey,
};
const filter: QueryEntry = { ...pagesOf(usagePages), ...usageFilter };

export const usageVerbs = {
  list: verb("Sum up what was used", "query", listUsageViews, {
    query: { ...filter, ...ofOthers },
    answer: ListedUsage,
  }),
  listOwn: verb("Sum up what one has used", "query", listOwnUsage, {
    query: filter,
    answer: ListedUsage,
  }),
};
