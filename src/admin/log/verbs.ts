// How the usage log is read, and what the reference says of it.
import type { QueryEntry } from "../../core/reference-entry.ts";
import { text, whole } from "../../core/schema-words.ts";
import { pages, span } from "../contract/basics.ts";
import { verbsOf } from "../verb.ts";
import { ListedLog, LogTrace } from "./contract.ts";
import { listLog, listOwnLog } from "./list.ts";
import { showLog, showOwnLog } from "./show.ts";

const { verb } = verbsOf("Records");

const filter: QueryEntry = {
  ...pages,
  ...span,
  model: { schema: text() },
  key: { schema: text(), description: "By id." },
  status: { schema: whole() },
  request_id: { schema: text() },
  cursor: { schema: text(), description: "The `next` of the page before, instead of `p`." },
};

/** Whose, and by what. */
export const ofOthers: QueryEntry = {
  account: { schema: text(), description: "By user name." },
  channel: { schema: text(), description: "By name or id." },
};

export const logVerbs = {
  list: verb("Read the usage log", "query", listLog, {
    query: { ...filter, ...ofOthers },
    answer: ListedLog,
  }),
  show: verb("Show one request with each attempt", "id", showLog, { answer: LogTrace }),
  showOwn: verb("Show one of one's own requests", "id", showOwnLog, { answer: LogTrace }),
  listOwn: verb("Read one's usage log", "query", listOwnLog, { query: filter, answer: ListedLog }),
};
