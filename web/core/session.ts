// The signed-in account, and the facts of the gateway that everyone may know.
import { effect, signal } from "@preact/signals";
import type { OwnSeatView, Permission, SelfView, SiteView } from "../../src/admin/contract.ts";
import { ApiError, isOffline, whenSignedOut } from "./api.ts";
import { send } from "./control.ts";
import { forget } from "./arrival.ts";
import { enterScope, scope } from "./scope.ts";
import { recallLanguage, setLanguage, suggestLanguage } from "./words.ts";

/**
 * Account that acts: the person, or the organisation in whose scope the console is. Undefined
 * until it is known whether someone is signed in.
 */
export const self = signal<SelfView | null | undefined>(undefined);
/** The session ended while a page was open. */
export const hasExpired = signal(false);
export const site = signal<SiteView | null>(null);

/** Organisations that the person is in. */
export const organisations = signal<readonly OwnSeatView[]>([]);

/** The person's role in the organisation that the console acts for; null: it acts for itself. */
export function seatRole(): OwnSeatView["role"] | null {
  return organisations.value.find(({ id }) => id === scope)?.role ?? null;
}

/** Whether one may change what everyone there has; a person may do so with its own. */
export function isLeading(): boolean {
  return scope === null || ["owner", "admin"].includes(seatRole() ?? "");
}

/** Whether one may bring money in; an organisation's is its owners' affair. */
export function mayRedeem(): boolean {
  return scope === null || seatRole() === "owner";
}

export async function loadOrganisations(): Promise<void> {
  try {
    organisations.value = (await send("GET /api/organisation")).items;
  } catch {
    // The console works without, for the person itself.
    organisations.value = [];
  }
}

/** Whether the account that acts may do so; nothing of it in an organisation's scope. */
export function may(permission: Permission): boolean {
  return self.value?.permissions.includes(permission) ?? false;
}

/** Address that says how the models are doing; null where that is not for this person. */
export function healthAt(): "GET /api/health/models" | "GET /api/site/health" | null {
  if (!may("channels.read") && site.value?.shows_status !== true) return null;
  return self.value ? "GET /api/health/models" : "GET /api/site/health";
}

/** Everyone sees their own money; that of others, which `wider` shows, takes a permission. */
export function seesMoney(wider: Permission): boolean {
  return may("money.read") || !may(wider);
}

/** Prompts and tasks of others; one's own are always there. */
export function seesContents(): boolean {
  return may("contents.read") || !may("usage.read");
}

/** Requests of others, or one's own, may be kept to be read. */
export function mayCapture(): boolean {
  return may("contents.capture") || !may("usage.read");
}

/** Some see everyone's use, others their own: `/api/log`, `/api/log/self`. */
export function scoped(path: string): string {
  return may("usage.read") ? path : `${path}/self`;
}

/** The same of two addresses. */
export function scopedAt<All, Own>(
  all: All,
  own: Own,
  permission: Permission = "usage.read",
): All | Own {
  return may(permission) ? all : own;
}

whenSignedOut(() => {
  if (self.peek()) hasExpired.value = true;
  self.value = null;
});

/** In this browser, and of the account too: letters and other browsers follow it. */
export async function chooseLanguage(tag: string): Promise<void> {
  await setLanguage(tag);
  // An organisation has letters of its own.
  if (!self.peek() || scope !== null) return;
  try {
    self.value = await send("PATCH /api/user/self", { body: { language: tag } });
  } catch {
    // The page is in it all the same.
  }
}

/** Asks anew who is signed in; false when the gateway itself did not answer. */
export async function loadSelf(): Promise<boolean> {
  try {
    const [view] = await Promise.all([send("GET /api/user/self"), loadOrganisations()]);
    self.value = view;
    hasExpired.value = false;
    if (view.language !== null) void recallLanguage(view.language);
    return true;
  } catch (error) {
    const { code = null } = error instanceof ApiError ? error : {};
    // One that the person is not in, or not any more.
    if (scope !== null && code === "not_found") enterScope(null);
    const isSignedOut = code === "invalid_api_key";
    // A gateway that is away for a moment signs nobody out.
    if (isSignedOut || self.peek() === undefined) self.value = null;
    return isSignedOut;
  }
}

export async function loadSite(): Promise<void> {
  try {
    site.value = await send("GET /api/site");
    void suggestLanguage(site.value.default_language);
  } catch {
    // The page works without: it asks for a password and says nothing more.
    site.value = null;
  }
}

/** At the start, and when a gateway is back that was away then. */
effect(() => {
  if (!isOffline.value && site.peek() === null) void loadSite();
});

/** After the last step of signing in. Of somebody who was signed in before nothing may stay. */
export async function enter(): Promise<void> {
  if (self.peek()) return location.replace("/");
  await loadSelf();
  forget();
}

export async function signOut(): Promise<void> {
  try {
    await send("POST /api/user/logout");
  } finally {
    self.value = null;
    hasExpired.value = false;
  }
}
