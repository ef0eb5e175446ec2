// Tasks: each call with its function.
import { bind } from "../bind.ts";
import { taskCalls } from "./contract.ts";
import { cancelOwnTask, cancelTask, removeOwnTask, removeTask } from "./end.ts";
import { listOwnTaskViews, listTaskViews } from "./list.ts";
import { showOwnTask, showTask } from "./show.ts";

export const taskVerbs = bind(taskCalls, {
  list: listTaskViews,
  listOwn: listOwnTaskViews,
  showOwn: showOwnTask,
  cancelOwn: cancelOwnTask,
  removeOwn: removeOwnTask,
  show: showTask,
  cancel: cancelTask,
  remove: removeTask,
});
