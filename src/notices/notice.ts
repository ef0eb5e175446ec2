// A need for a person: a cause that was found, and the notice that tells of it.
import type { NoticeKind } from "../config/notices.ts";
import type { AccountId } from "../core/ids.ts";
import type { Letter } from "../mail/letter.ts";
import type { JsonObject } from "../core/json.ts";

export interface Cause {
  /** The same for as long as it lasts, also over a restart. */
  cause: string;
  kind: NoticeKind;
  /** Account that it is about. */
  accountId: AccountId | null;
  /** For whoever has the account, not for whoever runs the gateway. */
  isOwn: boolean;
  /** Also by e-mail, where the account has an address. */
  letter?: Letter;
  /** A member of the account who is written to as well. */
  alsoTo?: AccountId | null;
  /** It is for a letter alone: its owner has set no address to be called. */
  isUncalled?: boolean;
  text: string;
  details: JsonObject;
}

/** More than this at once is no news for a person. */
export const causesMax = 1000;

export interface Notice {
  id: string;
  kind: NoticeKind | "test";
  text: string;
  details: JsonObject;
  atMs: number;
}

/** The account's own address among the names of destinations, none of which is empty. */
export const ownDestination = "";
