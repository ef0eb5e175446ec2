// How sums of what was used are read, and what the reference says of it.
import type { QueryEntry } from "../../core/reference-entry.ts";
import { text } from "../../core/schema-words.ts";
import { pages, span } from "../contract/basics.ts";
import { ofOthers } from "../log/verbs.ts";
import { verb } from "../verb.ts";
import { ListedUsage } from "./contract.ts";
import { listOwnUsage, listUsageViews } from "./list.ts";

const tag = "Records";

const filter: QueryEntry = {
  ...pages,
  ...span,
  by: { schema: text(), description: "Some of day, model, key; for admins also account, channel." },
  model: { schema: text() },
  key: { schema: text() },
};

export const usage = {
  list: verb({
    tag,
    summary: "Sum up what was used",
    takes: "query",
    query: { ...filter, ...ofOthers },
    answer: ListedUsage,
    run: listUsageViews,
  }),
  listOwn: verb({
    tag,
    summary: "Sum up what one has used",
    takes: "query",
    query: filter,
    answer: ListedUsage,
    run: listOwnUsage,
  }),
};
