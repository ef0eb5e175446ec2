// How models and their prices are read, and what the reference says of it.
import { text } from "../../core/schema-words.ts";
import { verbsOf } from "../verb.ts";
import { byName } from "../search.ts";
import { ModelView, OwnGroupView } from "./contract.ts";
import { listModelViews, readOwnGroup } from "./list.ts";

const { list, verb } = verbsOf("Own account");

export const modelVerbs = {
  list: list("List the models of one's group, with what they cost", ModelView, listModelViews, {
    ...byName,
    group: { schema: text(), description: "Another group, for admins." },
  }),
  readGroup: verb("Read one's group and its multiplier", "nothing", readOwnGroup, {
    answer: OwnGroupView,
  }),
};
