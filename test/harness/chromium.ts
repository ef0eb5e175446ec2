// A real Chromium, driven by playwright. CHROMIUM_PATH names one; else those of the system are
// tried; else Debian's is installed, where that is possible. Tests say what they do without.
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";
import { installByApt } from "./apt.ts";

export type { Browser, BrowserContext, Locator, Page } from "playwright-core";

/** Opened for the caller to close; `missing` says in a sentence why there is none. */
export type OpenedBrowser = { browser: Browser } | { missing: string };

const wellKnownPaths = [
  // The same engine without what only a window needs: its tests take half the work.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const installMsMax = 240_000;
const launchMsMax = 30_000;

export async function openBrowser(): Promise<OpenedBrowser> {
  const found = await findChromium();
  if ("missing" in found) return found;
  const { path } = found;
  try {
    // A container has no user namespaces for the sandbox, and a small /dev/shm. Whatever is not on
    // this machine is not found.
    const args = [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
      "--autoplay-policy=no-user-gesture-required",
    ];
    return { browser: await chromium.launch({ executablePath: path, args, timeout: launchMsMax }) };
  } catch (error) {
    return { missing: `${path} does not start: ${firstLine(String(error))}` };
  }
}

/**
 * For tests that mean nothing without a browser: they fail, and say what to do about it. There is
 * one for all files of a run, which share this module, and it ends with the process.
 */
export async function needBrowser(): Promise<Browser> {
  sharing ??= openNeeded();
  const browser = await sharing;
  if (browser.isConnected()) return browser;
  sharing = openNeeded();
  return await sharing;
}

let sharing: Promise<Browser> | null = null;

/** For commands that are no tests: they do not end as long as it is there. */
export async function closeBrowser(): Promise<void> {
  await (await sharing)?.close();
  sharing = null;
}

async function openNeeded(): Promise<Browser> {
  const opened = await openBrowser();
  if ("browser" in opened) return opened.browser;
  throw new Error(
    `These tests need Chromium, and there is none: ${opened.missing}. Install it (Debian: ` +
      "apt-get install chromium), or name one in CHROMIUM_PATH.",
  );
}

/** Reason why there is no Chromium, or null. */
export async function whyNoChromium(): Promise<string | null> {
  const found = await findChromium();
  return "missing" in found ? found.missing : null;
}

/** Time that a test has to wait at most where a browser is installed first. */
export const browserMsMax = 2 * installMsMax + launchMsMax;

type Found = { path: string } | { missing: string };

export async function findChromium(): Promise<Found> {
  const installed = findInstalledChromium();
  if (installed) return installed;
  installing ??= install();
  return await installing;
}

/** Null where there is none yet. */
export function findInstalledChromium(): Found | null {
  const named = process.env["CHROMIUM_PATH"];
  if (named !== undefined && named !== "") {
    return existsSync(named) ? { path: named } : { missing: `CHROMIUM_PATH is ${named}: no file` };
  }
  const path = wellKnownPaths.find((one) => existsSync(one));
  return path === undefined ? null : { path };
}

/** Once for all files of a run: they share this module. */
let installing: Promise<Found> | null = null;

async function install(): Promise<Found> {
  let failure: string | null = null;
  // Not every system has the first.
  for (const name of ["chromium-headless-shell", "chromium"]) {
    const packages = { names: [name], msMax: installMsMax };
    failure = await installByApt("Chromium for the tests that need a browser", packages);
    const path = wellKnownPaths.find((one) => existsSync(one));
    if (path !== undefined) return { path };
  }
  return { missing: failure ?? "none is installed, though apt-get says so" };
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? text;
}
