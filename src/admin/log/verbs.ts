// How the usage log is read, and what the reference says of it.
import type { QueryEntry } from "../../core/reference-entry.ts";
import { text, whole } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import { pages, span } from "../contract/basics.ts";
import { byKey, ofOthers } from "../search.ts";
import { verbsOf } from "../verb.ts";
import { ListedLog, LogTrace } from "./contract.ts";
import { listLog, listOwnLog } from "./list.ts";
import { showLog, showOwnLog } from "./show.ts";

const { verb } = verbsOf("Records");

/** What rows are wanted. */
export const logFilter: QueryEntry = {
  ...span,
  model: { schema: text() },
  ...byKey,
  status: { schema: whole() },
  request_id: { schema: text() },
  outcome: {
    schema: text(),
    description: "`ok`, `client_abort`, `rejected`, `upstream_error` or `gateway_error`.",
  },
  failed: { schema: Type.Boolean(), description: "Only what was refused or failed, or the rest." },
  format: { schema: text(), description: "Of this format only, such as `chat`." },
  error_code: { schema: text(), description: "With this code of the catalogue only." },
  group: { schema: text(), description: "Of this group only." },
  stream: { schema: Type.Boolean(), description: "Only what was streamed, or the rest." },
  attempts_min: { schema: whole(), description: "With so many attempts or more." },
  latency_min: { schema: whole(), description: "That took so many milliseconds or more." },
  micros_min: { schema: whole(), description: "That cost so many micros or more." },
};

const filter: QueryEntry = {
  ...pages,
  ...logFilter,
  cursor: { schema: text(), description: "The `next` of the page before, instead of `p`." },
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
