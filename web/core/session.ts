// The signed-in account, and the facts of the gateway that everyone may know.
import { effect, signal } from "@preact/signals";
import type { SelfView, SiteView } from "../../src/admin/contract.ts";
import { ApiError, isOffline, whenSignedOut } from "./api.ts";
import { send } from "./control.ts";
import { forget } from "./arrival.ts";
import { suggestLanguage } from "./words.ts";

/** Undefined until it is known whether someone is signed in. */
export const self = signal<SelfView | null | undefined>(undefined);
/** The session ended while a page was open. */
export const hasExpired = signal(false);
export const site = signal<SiteView | null>(null);

export function isAdmin(): boolean {
  const role = self.value?.role;
  return role === "admin" || role === "root";
}

export function isRoot(): boolean {
  return self.value?.role === "root";
}

/** Admins see everyone's, others their own: `/api/log`, `/api/log/self`. */
export function scoped(path: string): string {
  return isAdmin() ? path : `${path}/self`;
}

/** The same of two addresses. */
export function scopedAt<All, Own>(all: All, own: Own): All | Own {
  return isAdmin() ? all : own;
}

whenSignedOut(() => {
  if (self.peek()) hasExpired.value = true;
  self.value = null;
});

/** Asks anew who is signed in; false when the gateway itself did not answer. */
export async function loadSelf(): Promise<boolean> {
  try {
    self.value = await send("GET /api/user/self");
    hasExpired.value = false;
    return true;
  } catch (error) {
    const isSignedOut = error instanceof ApiError && error.code === "invalid_api_key";
    // A gateway that is away for a moment signs nobody out.
    if (isSignedOut || self.peek() === undefined) self.value = null;
    return isSignedOut;
  }
}

async function loadSite(): Promise<void> {
  try {
    site.value = await send("GET /api/site");
    suggestLanguage(site.value.default_language);
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
