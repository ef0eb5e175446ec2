// The usage log: each call with its function.
import { bind } from "../bind.ts";
import { logCalls } from "./contract.ts";
import { listLog, listOwnLog } from "./list.ts";
import { showLog, showOwnLog } from "./show.ts";

export const logVerbs = bind(logCalls, {
  list: listLog,
  listOwn: listOwnLog,
  showOwn: showOwnLog,
  show: showLog,
});
