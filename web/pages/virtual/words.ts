// Words of the page of virtual models.
import { pageWords } from "../../kit/page-words.ts";

export const t = pageWords("virtual", "page", {
  make: "New virtual model",
  prices: {
    served: "Price of the serving model",
    own: "Custom price",
  },
  reply_model: "Model in replies",
  replies: {
    asked: "Requested name",
    served: "Serving model",
  },
  byGateway: "Gateway default",
  byGroup: "Group default",
  hidden: "Hidden from model lists",
  shownInLists: "Shown in model lists",
  everyGroup: "All groups",
  drawn: "First member, by weight",
  drawnText: "One is drawn for each conversation; the others are tried after it.",
  followed: "Then, in order",
  unserved: "no channel",
  saved: (name: string) => `${name} was saved`,
  removeEffect: "Requests for this name will be refused.",
  empty: "No virtual models yet",
  emptyText: "One name for several models, tried in order or split by weight.",
  hints: {
    name: "The name clients request.",
    members:
      "One per line, in order: the model, then optionally weight=90, window=200000 or " +
      "when=fault,load,context,refused.",
    groups: "Only keys in these groups may use it. Empty: all groups.",
  },
});
