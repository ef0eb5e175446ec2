// Arrival with a part of signing in behind the `#`: the text of a link that works once, or the
// ticket of a half that another site has vouched for. Both are as good as a password, so they are
// out of the address before anything else happens, and in these variables alone. So this module is
// loaded first, and needs none that asks the gateway anything.
import { signal } from "@preact/signals";

/** The first half of signing in, and by what the second can be shown. */
export interface Half {
  ticket: string;
  kinds: readonly string[];
}

export const link = signal<string | null>(null);
export const half = signal<Half | null>(null);
/** The link was used before, has expired, or never was one. */
export const isLinkOver = signal(false);

function take(): void {
  const parts = new URLSearchParams(location.hash.slice(1));
  const [text, ticket] = [parts.get("link"), parts.get("ticket")];
  if (text === null && ticket === null) return;
  history.replaceState(null, "", location.pathname + location.search);
  forget();
  link.value = text;
  if (ticket === null) return;
  half.value = { ticket, kinds: (parts.get("second_factor") ?? "").split(",") };
}

take();
// A link that is pasted where the console is open already loads nothing anew.
addEventListener("hashchange", take);

/** Whether signing in is what the page is about, be somebody signed in or not. */
export function isArriving(): boolean {
  return link.value !== null || half.value !== null || isLinkOver.value;
}

export function forget(): void {
  link.value = null;
  half.value = null;
  isLinkOver.value = false;
}
