// How tasks are listed, and what the reference says of it.
import type { QueryEntry } from "../../core/reference-entry.ts";
import { text, word } from "../../core/schema-words.ts";
import { verbsOf } from "../verb.ts";
import { OwnTaskView, TaskView } from "./contract.ts";
import { listOwnTaskViews, listTaskViews } from "./list.ts";

const { list } = verbsOf("Records");

const filter: QueryEntry = {
  model: { schema: text() },
  state: { schema: text() },
  kind: { schema: word("video", "image") },
};

export const taskVerbs = {
  list: list("List tasks", TaskView, listTaskViews, { ...filter, account: { schema: text() } }),
  listOwn: list("List one's tasks", OwnTaskView, listOwnTaskViews, filter),
};
