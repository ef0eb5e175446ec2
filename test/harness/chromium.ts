// A real Chromium, driven by playwright. CHROMIUM_PATH names one; else those of the system are
// tried; else Debian's is installed, where that is possible. Tests say what they do without.
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";

export type { Browser, BrowserContext, Page } from "playwright-core";

/** Whoever opened it closes it; `missing` says in a sentence why there is none. */
export type OpenedBrowser = { browser: Browser } | { missing: string };

const wellKnownPaths = [
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

/** For tests that mean nothing without a browser: they fail, and say what to do about it. */
export async function needBrowser(): Promise<Browser> {
  const opened = await openBrowser();
  if ("browser" in opened) return opened.browser;
  throw new Error(
    `These tests need Chromium, and there is none: ${opened.missing}. Install it (Debian: ` +
      "apt-get install chromium), or name one in CHROMIUM_PATH.",
  );
}

/** Nothing is left out without a word: one line on the standard error says what was not checked. */
export function sayMissing(what: string, missing: string): void {
  process.stderr.write(`NOT CHECKED IN A BROWSER: ${what}. There is no Chromium: ${missing}\n`);
}

/** How long a test has to wait at most where a browser is installed first. */
export const browserMsMax = installMsMax + launchMsMax;

type Found = { path: string } | { missing: string };

async function findChromium(): Promise<Found> {
  const named = process.env["CHROMIUM_PATH"];
  if (named !== undefined && named !== "") {
    return existsSync(named) ? { path: named } : { missing: `CHROMIUM_PATH is ${named}: no file` };
  }
  const path = wellKnownPaths.find((one) => existsSync(one));
  if (path !== undefined) return { path };
  installing ??= install();
  return await installing;
}

/** Once for all files of a run: they share this module. */
let installing: Promise<Found> | null = null;

async function install(): Promise<Found> {
  const apt = Bun.which("apt-get");
  if (process.getuid?.() !== 0 || apt === null) {
    return { missing: "none is installed, and it can be only by root with apt-get" };
  }
  process.stderr.write("Installing Chromium for the tests that need a browser.\n");
  const signal = AbortSignal.timeout(installMsMax);
  const packages = ["install", "-y", "--no-install-recommends", "chromium"];
  let failure = await run([apt, ...packages], signal);
  // The lists of packages may not be there yet, or name files that are not there any more.
  if (failure !== null) {
    failure = (await run([apt, "update"], signal)) ?? (await run([apt, ...packages], signal));
  }
  const path = wellKnownPaths.find((one) => existsSync(one));
  if (failure === null && path !== undefined) return { path };
  const why = signal.aborted ? `took more than ${installMsMax / 1000} seconds` : "failed";
  const missing = `none is installed, and apt-get ${packages.join(" ")} ${why}`;
  return { missing: failure ? `${missing} (${failure})` : missing };
}

/** Null when it went well, else what it said last. One at a time, whoever else installs here. */
async function run(command: string[], signal: AbortSignal): Promise<string | null> {
  if (signal.aborted) return "";
  const flock = Bun.which("flock");
  const lock = join(tmpdir(), "sluice-test-chromium.lock");
  const child = Bun.spawn(flock === null ? command : [flock, "--no-fork", lock, ...command], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" },
    stdio: ["ignore", "ignore", "pipe"],
    signal,
  });
  const said = child.stderr.text();
  if ((await child.exited) === 0) return null;
  // What it has started itself may live on for a while, with the same standard error.
  return signal.aborted ? "" : ((await said).trimEnd().split("\n").at(-1) ?? "");
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? text;
}
