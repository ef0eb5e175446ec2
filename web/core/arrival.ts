// Arrival with a part of signing in behind the `#`: the text of a link that works once, the token
// of a letter, or the ticket of a half that another site has vouched for. All are as good as a
// password, so they are out of the address before anything else happens, and in these variables
// alone. So this module is loaded first, and needs none that asks the gateway anything.
import { signal } from "@preact/signals";

/** The first half of signing in, and by what the second can be shown. */
export interface Half {
  ticket: string;
  kinds: readonly string[];
}

/** Token of a letter, and what it is for: the proof of an address, a new password, a sign-in. */
export interface Letter {
  kind: "email" | "reset" | "mail";
  token: string;
}

const letterKinds: readonly Letter["kind"][] = ["email", "reset", "mail"];

const joinName = "sluice.join";
/**
 * Code of an invitation into an organisation, which opens no account: it waits for whoever is
 * signed in, also over the way to another site and back.
 */
export const joining = signal<string | null>(keptCode());

function keptCode(): string | null {
  try {
    return sessionStorage.getItem(joinName);
  } catch {
    return null;
  }
}

/** Null when it was taken, or is not wanted. */
export function keepJoining(code: string | null): void {
  joining.value = code;
  try {
    if (code === null) sessionStorage.removeItem(joinName);
    else sessionStorage.setItem(joinName, code);
  } catch {
    // Forbidden: it holds until the page is closed.
  }
}

export const letter = signal<Letter | null>(null);
export const link = signal<string | null>(null);
export const half = signal<Half | null>(null);
/** The link was used before, has expired, or never was one. */
export const isLinkOver = signal(false);

function take(): void {
  const parts = new URLSearchParams(location.hash.slice(1));
  const [text, ticket, code] = [parts.get("link"), parts.get("ticket"), parts.get("join")];
  const kind = letterKinds.find((one) => parts.has(one));
  if (text === null && ticket === null && code === null && kind === undefined) return;
  history.replaceState(null, "", location.pathname + location.search);
  if (code !== null) return keepJoining(code);
  forget();
  link.value = text;
  if (kind !== undefined) letter.value = { kind, token: parts.get(kind) ?? "" };
  if (ticket === null) return;
  half.value = { ticket, kinds: (parts.get("second_factor") ?? "").split(",") };
}

take();
// A link that is pasted where the console is open already loads nothing anew.
addEventListener("hashchange", take);

/** Whether signing in is what the page is about, be somebody signed in or not. */
export function isArriving(): boolean {
  const isUnderWay = link.value !== null || letter.value !== null || half.value !== null;
  return isUnderWay || isLinkOver.value;
}

export function forget(): void {
  link.value = null;
  letter.value = null;
  half.value = null;
  isLinkOver.value = false;
}
