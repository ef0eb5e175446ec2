// Words of the list of notices.
import { pageWords } from "../../../kit/page-words.ts";

export const t = pageWords("notices", "list", {
  text: "Notice",
  lasts: "Ongoing",
  endedAt: (at: string) => `Ended ${at}`,
  sentTo: "Sent to",
  ownAddress: "the account's address",
  arrivedAt: (at: string) => `arrived ${at}`,
  pendingUntil: (at: string) => `next attempt ${at}`,
  lost: "not delivered",
  empty: "Nothing has needed a person",
  emptyText:
    "Low balances, rejected vendor keys, failing channels and a full disk are listed here.",
});
