// Acts of the scripts of an open page, and the knowledge they can have.
import { eventually } from "../books.ts";
import type { Answered } from "../browser.ts";
import { password } from "../browser.ts";
import type { BrowserContext, Page } from "../chromium.ts";

/** The part of a page that the functions need that run inside it. */
declare const document: { cookie: string; referrer: string };
declare const location: { assign(url: string): void };
declare const navigator: { clipboard: { readText(): Promise<string> } };
declare const localStorage: Record<string, string>;

/** A page of the gateway's own that a browser has drawn at once. */
export const plainPath = "/healthz";

interface PageCall {
  method: string;
  path: string;
  body: string | null;
}

/** A request of a script of the page, as a console makes them. */
export async function callFrom(
  page: Page,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answered> {
  const call = { method, path, body: body === undefined ? null : JSON.stringify(body) };
  return (await page.evaluate(sendFromPage, call)) as Answered;
}

async function sendFromPage({ method, path, body }: PageCall): Promise<unknown> {
  const response = await fetch(path, {
    method,
    ...(method !== "GET" && { headers: { "content-type": "application/json" } }),
    ...(body !== null && { body }),
  });
  return await response.json();
}

/** A call that must succeed. */
export async function askFrom<Data>(
  page: Page,
  method: string,
  path: string,
  body?: unknown,
): Promise<Data> {
  const answer = await callFrom(page, method, path, body);
  if (!answer.success) throw new Error(`${method} ${path}: ${answer.message}`);
  return answer.data as Data;
}

export async function signInFrom(page: Page, username: string): Promise<Answered> {
  return await callFrom(page, "POST", "/api/user/login", { username, password });
}

/** Username signed in there, or null. */
export async function whoIsAt(page: Page): Promise<string | null> {
  const { success, data } = await callFrom(page, "GET", "/api/user/self");
  return success ? (data as { username: string }).username : null;
}

/** All that scripts can read of the page's cookies. */
export async function readableCookies(page: Page): Promise<string> {
  return await page.evaluate(() => document.cookie);
}

export async function referrerOf(page: Page): Promise<string> {
  return await page.evaluate(() => document.referrer);
}

/** Follow a link of that page like somebody who clicks on it. */
export async function followLink(page: Page, url: string): Promise<void> {
  await page.evaluate((address) => location.assign(address), url);
}

/** The browser's own record of a cookie. */
export async function cookieOf(context: BrowserContext, name: string) {
  const all = await context.cookies();
  return all.find((cookie) => cookie.name === name) ?? null;
}

/** The text that the page's last copy has left. */
export async function readClipboard(page: Page): Promise<string> {
  return await page.evaluate(() => navigator.clipboard.readText());
}

/** Until the clipboard has this, which a page puts there behind the click. */
export async function copied(page: Page, text: string): Promise<void> {
  await eventually(`${text} in the clipboard`, async () => {
    const found = await readClipboard(page);
    return found === text || undefined;
  });
}

/** Entries that scripts have left in the browser, by name. */
export async function storedIn(page: Page): Promise<[string, string][]> {
  return await page.evaluate(() => Object.entries(localStorage));
}
