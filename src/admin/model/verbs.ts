// How models and their prices are read, and what the reference says of it.
import { text, word } from "../../core/schema-words.ts";
import { verbsOf } from "../verb.ts";
import { byName } from "../search.ts";
import { ModelView, OwnGroupView } from "./contract.ts";
import { listModelViews, readOwnGroup } from "./list.ts";

/** What a list of models is searched by. */
export const byModel = {
  ...byName,
  kind: {
    schema: word("text", "embedding", "image", "video"),
    description: "Of this kind only.",
  },
};

const { list, verb } = verbsOf("Own account");

export const modelVerbs = {
  list: list("List the models of one's group, with what they cost", ModelView, listModelViews, {
    ...byModel,
    group: { schema: text(), description: "Another group, for admins." },
  }),
  readGroup: verb(
    "Read one's group, its multiplier, and the groups that one may give a key",
    "nothing",
    readOwnGroup,
    {
      answer: OwnGroupView,
    },
  ),
};
