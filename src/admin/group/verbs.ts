// What is done with groups, and what the reference says of it.
import { GroupInput } from "../../config/entities.ts";
import { text } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import { listOf, pages } from "../contract/basics.ts";
import { verb } from "../verb.ts";
import { GroupView } from "./contract.ts";
import { listGroupViews } from "./list.ts";
import { removeGroup } from "./remove.ts";
import { writeGroup } from "./write.ts";

const tag = "Groups";
const removed = Type.Object({ name: text() });

export const groups = {
  list: verb({
    tag,
    summary: "List groups",
    takes: "query",
    query: pages,
    answer: listOf(GroupView),
    run: listGroupViews,
  }),
  write: verb({
    tag,
    summary: "Create or change a group",
    takes: "body",
    body: { schema: GroupInput, example: { name: "partners", multiplier: 1.25 } },
    answer: GroupView,
    run: writeGroup,
  }),
  /** For names with spaces, which no path of ours takes. */
  removeNamed: verb({
    tag,
    summary: "Delete a group, by a name of any characters",
    takes: "nameInQuery",
    query: { name: { schema: text(), isRequired: true } },
    answer: removed,
    run: removeGroup,
  }),
  remove: verb({
    tag,
    summary: "Delete a group",
    takes: "nameInPath",
    answer: removed,
    run: removeGroup,
  }),
};
