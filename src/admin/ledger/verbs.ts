// How the ledger is read and verified, and what the reference says of it.
import type { QueryEntry, ReferenceEntry } from "../../core/reference-entry.ts";
import { orNull, text, word } from "../../core/schema-words.ts";
import { pages } from "../contract/basics.ts";
import { span } from "../span.ts";
import { byAccount, byKey } from "../search.ts";
import { verbsOf } from "../verb.ts";
import { readBalance, readOwnBalance } from "./balance.ts";
import {
  BalanceView,
  ListedHolds,
  ListedLedger,
  ListedOwnLedger,
  VerdictView,
} from "./contract.ts";
import { holdKinds, listHoldViews } from "./holds.ts";
import { entryKinds, listLedgerViews, listOwnLedgerViews } from "./list.ts";
import { readVerdict, verifyNow } from "./verify.ts";

const { verb } = verbsOf("Ledger");

const plain: QueryEntry = {
  ...span,
  kind: { schema: word(...entryKinds) },
  ...byKey,
  id: { schema: text(), description: "Of the request, task or credit." },
};
const paged: QueryEntry = {
  ...pages,
  cursor: { schema: text(), description: "The `next` of the page before, instead of `p`." },
};
const loss: QueryEntry = {
  loss: { schema: word("true"), description: "Only what was, or may have been, lost." },
};

export const ledgerVerbs = {
  list: verb("Read the ledger", "query", listLedgerViews, {
    query: { ...paged, ...plain, ...byAccount, ...loss },
    answer: ListedLedger,
  }),
  listOwn: verb("Read the ledger of one's account", "query", listOwnLedgerViews, {
    query: { ...paged, ...plain },
    answer: ListedOwnLedger,
  }),
  holds: verb("List what is held", "query", listHoldViews, {
    query: { ...pages, ...byAccount, kind: { schema: word(...holdKinds) } },
    answer: ListedHolds,
  }),
  balance: verb("Show how an account adds up", "id", readBalance, {
    description: "Granted is available, held and spent. Each term is shown with its own lines.",
    answer: BalanceView,
  }),
  ownBalance: verb("Show how one's account adds up", "nothing", readOwnBalance, {
    answer: BalanceView,
  }),
  verify: verb("Verify the books", "optionalBody", verifyNow, {
    description:
      "What `sluice ledger verify` checks, by a thread of its own. Who asks while it is being " +
      "done gets the same verdict.",
    answer: VerdictView,
  }),
  verdict: verb("Read the last verdict on the books", "nothing", readVerdict, {
    answer: orNull(VerdictView),
  }),
};

export const ledgerCsvEntry: ReferenceEntry = {
  tag: "Ledger",
  summary: "Read the ledger as CSV",
  description: "At most a million lines, the newest first.",
  query: { ...plain, ...byAccount, ...loss },
  answer: { type: "text/csv", description: "A line for each entry, under the names of columns." },
};
