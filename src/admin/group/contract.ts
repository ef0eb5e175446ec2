// Groups as they go over the wire, and their calls.
import { GroupInput } from "../../config/entities.ts";
import { channelPreferences } from "../../config/fields.ts";
import { text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { bodyOf, callsOf } from "../call.ts";
import { money, rateFields } from "../contract/basics.ts";
import { byName, bySort } from "../search.ts";

export const GroupView = Type.Object({
  name: text(),
  multiplier: money(Type.Number()),
  prefer: word(...channelPreferences),
  declared: Type.Boolean(),
  ...rateFields,
});
export type GroupView = Static<typeof GroupView>;

export const ListedGroup = Type.Object({
  ...GroupView.properties,
  channels: whole("Channels that serve it, enabled or not."),
});
export type ListedGroup = Static<typeof ListedGroup>;

const { call, list } = callsOf("Groups");
const removed = Type.Object({ name: text() });

export const groupCalls = {
  list: list("GET /api/group", "List groups", {
    permission: "channels.read",
    item: ListedGroup,
    filter: { ...byName, ...bySort(["name", "multiplier"]) },
  }),
  write: call("POST /api/group", "Create or change a group", {
    permission: "groups.write",
    body: bodyOf(GroupInput, { name: "partners", multiplier: 1.25 }),
    answer: GroupView,
  }),
  /** For names with spaces, which no path of ours takes. */
  removeNamed: call("DELETE /api/group", "Delete a group, by a name of any characters", {
    permission: "groups.write",
    query: { name: { schema: text(), isRequired: true } },
    answer: removed,
  }),
  remove: call("DELETE /api/group/{name}", "Delete a group", {
    permission: "groups.write",
    faceless: "Pages and commands send the name in the query, where it may have any characters.",
    answer: removed,
  }),
};
export type GroupCalls = typeof groupCalls;
