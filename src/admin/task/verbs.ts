// How tasks are listed, and what the reference says of it.
import type { QueryEntry } from "../../core/reference-entry.ts";
import { text, word } from "../../core/schema-words.ts";
import { byAccount } from "../search.ts";
import { verbsOf } from "../verb.ts";
import { removed } from "../contract/basics.ts";
import { OwnTaskDetail, OwnTaskView, TaskDetail, TaskView } from "./contract.ts";
import { cancelOwnTask, cancelTask, removeOwnTask, removeTask } from "./end.ts";
import { listOwnTaskViews, listTaskViews } from "./list.ts";
import { showOwnTask, showTask } from "./show.ts";

const { list, verb } = verbsOf("Records");

const filter: QueryEntry = {
  model: { schema: text() },
  state: { schema: text() },
  kind: { schema: word("video", "image") },
};

export const taskVerbs = {
  list: list("List tasks", TaskView, listTaskViews, { ...filter, ...byAccount }),
  listOwn: list("List one's tasks", OwnTaskView, listOwnTaskViews, filter),
  show: verb("Show a task with its results", "id", showTask, { answer: TaskDetail }),
  showOwn: verb("Show one of one's tasks", "id", showOwnTask, { answer: OwnTaskDetail }),
  cancel: verb("Cancel a task that runs", "id", cancelTask, {
    description: "It fails, is paid back, and its callback is told, where its vendor stops it.",
    answer: TaskDetail,
  }),
  cancelOwn: verb("Cancel one of one's tasks", "id", cancelOwnTask, { answer: OwnTaskDetail }),
  remove: verb("Delete a task that has ended", "id", removeTask, { answer: removed }),
  removeOwn: verb("Delete one of one's tasks", "id", removeOwnTask, { answer: removed }),
};
