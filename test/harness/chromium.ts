// A real Chromium, driven by playwright. CHROMIUM_PATH names one; else those of the system are
// tried; else Debian's is installed, where that is possible. Tests say what they do without.
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

export type { Browser, Page } from "playwright-core";

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
    // A container has no user namespaces for the sandbox, and a small /dev/shm.
    const args = [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      "--autoplay-policy=no-user-gesture-required",
    ];
    return { browser: await chromium.launch({ executablePath: path, args, timeout: launchMsMax }) };
  } catch (error) {
    return { missing: `${path} does not start: ${firstLine(String(error))}` };
  }
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

/** Once, however many tests ask. */
let installing: Promise<Found> | null = null;

async function install(): Promise<Found> {
  const apt = Bun.which("apt-get");
  if (process.getuid?.() !== 0 || apt === null) {
    return { missing: "none is installed, and it can be only by root with apt-get" };
  }
  process.stderr.write("Installing Chromium for the tests that need a browser.\n");
  const signal = AbortSignal.timeout(installMsMax);
  const packages = ["install", "-y", "--no-install-recommends", "chromium"];
  // The lists of packages may not be there yet.
  const isDone =
    (await run([apt, ...packages], signal)) ||
    ((await run([apt, "update"], signal)) && (await run([apt, ...packages], signal)));
  const path = wellKnownPaths.find((one) => existsSync(one));
  if (isDone && path !== undefined) return { path };
  const why = signal.aborted ? "took too long" : "failed";
  return { missing: `none is installed, and apt-get ${packages.join(" ")} ${why}` };
}

async function run(command: string[], signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const stdio = ["ignore", "ignore", "ignore"] as const;
  const child = Bun.spawn(command, { env, stdio: [...stdio], signal });
  return (await child.exited) === 0;
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? text;
}
