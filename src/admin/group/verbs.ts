// What is done with groups, and what the reference says of it.
import { GroupInput } from "../../config/entities.ts";
import { text } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import { byName, bySort } from "../search.ts";
import { verbsOf } from "../verb.ts";
import { GroupView } from "./contract.ts";
import { groupSorts, listGroupViews } from "./list.ts";
import { removeGroup } from "./remove.ts";
import { setGroup } from "./write.ts";

const { list, verb } = verbsOf("Groups");
const removed = Type.Object({ name: text() });

export const groupVerbs = {
  list: list("List groups", GroupView, listGroupViews, {
    ...byName,
    ...bySort(groupSorts),
  }),
  write: verb("Create or change a group", "body", setGroup, {
    body: { schema: GroupInput, example: { name: "partners", multiplier: 1.25 } },
    answer: GroupView,
  }),
  /** For names with spaces, which no path of ours takes. */
  removeNamed: verb("Delete a group, by a name of any characters", "nameInQuery", removeGroup, {
    query: { name: { schema: text(), isRequired: true } },
    answer: removed,
  }),
  remove: verb("Delete a group", "nameInPath", removeGroup, { answer: removed }),
};
