// A browser on its way in, and what it still has of before.
import type { Browser } from "../../identity/access/sessions.ts";
import type { RelyingParty } from "../../identity/factors/passkeys.ts";

export interface Visitor extends Browser {
  /** The text of the session that the browser still has, be it anyone's. */
  session: string | null;
  /** The cookie's mark of a sign-in that is half done. */
  mark?: string | null;
  /** The cookie's mark of a browser that asked for a sign-in by e-mail. */
  mailMark?: string | null;
  /** The cookie's marks of accounts that this browser has signed in to. */
  known?: string | null;
  /** Party that passkeys know the gateway as; null where passkeys cannot work. */
  relyingParty?: RelyingParty | null;
}
