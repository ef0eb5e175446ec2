// How tasks are listed, and what the reference says of it.
import type { QueryEntry } from "../../core/reference-entry.ts";
import { text, word } from "../../core/schema-words.ts";
import { listOf, pages } from "../contract/basics.ts";
import { verb } from "../verb.ts";
import { OwnTaskView, TaskView } from "./contract.ts";
import { listOwnTaskViews, listTaskViews } from "./list.ts";

const tag = "Records";

const filter: QueryEntry = {
  ...pages,
  model: { schema: text() },
  state: { schema: text() },
  kind: { schema: word("video", "image") },
};

export const tasks = {
  list: verb({
    tag,
    summary: "List tasks",
    takes: "query",
    query: { ...filter, account: { schema: text() } },
    answer: listOf(TaskView),
    run: listTaskViews,
  }),
  listOwn: verb({
    tag,
    summary: "List one's tasks",
    takes: "query",
    query: filter,
    answer: listOf(OwnTaskView),
    run: listOwnTaskViews,
  }),
};
