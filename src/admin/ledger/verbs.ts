// How credits are read, and what the reference says of it.
import { text } from "../../core/schema-words.ts";
import { span } from "../contract/basics.ts";
import { verbsOf } from "../verb.ts";
import { LedgerView, OwnLedgerView } from "./contract.ts";
import { listLedgerViews, listOwnLedgerViews } from "./list.ts";

const { list } = verbsOf("Records");

export const ledgerVerbs = {
  list: list("List credits", LedgerView, listLedgerViews, {
    ...span,
    account: { schema: text(), description: "By user name." },
  }),
  listOwn: list("List one's credits", OwnLedgerView, listOwnLedgerViews, span),
};
