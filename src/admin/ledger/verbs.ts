// The ledger and the books: each call with its function.
import { bind } from "../bind.ts";
import { readBalance, readOwnBalance } from "./balance.ts";
import { booksCalls, ledgerCalls } from "./contract.ts";
import { listHoldViews } from "./holds.ts";
import { listLedgerViews, listOwnLedgerViews } from "./list.ts";
import { readVerdict, verifyNow } from "./verify.ts";

export const ledgerVerbs = bind(ledgerCalls, {
  list: listLedgerViews,
  listOwn: listOwnLedgerViews,
  holds: listHoldViews,
});

export const booksVerbs = bind(booksCalls, {
  balance: readBalance,
  ownBalance: readOwnBalance,
  verdict: readVerdict,
  verify: verifyNow,
});
