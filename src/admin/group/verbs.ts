// Groups: each call with its function.
import { bind } from "../bind.ts";
import { groupCalls } from "./contract.ts";
import { listGroupViews } from "./list.ts";
import { removeGroup, removeNamedGroup } from "./remove.ts";
import { setGroup } from "./write.ts";

export const groupVerbs = bind(groupCalls, {
  list: listGroupViews,
  write: setGroup,
  removeNamed: removeNamedGroup,
  remove: removeGroup,
});
