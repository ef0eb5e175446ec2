// The demo's month, a shorter one: its books add up, and every page of the console has something to
// show of it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDemo, type DemoHouse } from "../../demo/house.ts";
import { browserMsMax } from "../../harness/chromium.ts";
import { runCommand } from "../../harness/command.ts";
import type { Visit } from "../../harness/e2e/console.ts";
import { goTo } from "../../harness/e2e/walk.ts";
import { listedPages } from "../../harness/e2e/page-list.ts";

setDefaultTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), "sluice-test-demo-"));
let demo: DemoHouse;

beforeAll(async () => {
  demo = await openDemo({ folder, seed: "a test", days: 12, share: 0.02 });
}, browserMsMax);

afterAll(async () => {
  await demo?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const daySeconds = 86_400;

/** Pages that are empty until somebody acts. */
const waits = new Set(["playground", "operations"]);

/** Pages of what one has oneself; root has nothing of it. */
const own = new Set(["assets", "organisation", "webhooks"]);
const owner = "emil.lindqvist";

const rowsOf = (query: string) =>
  demo.client.control<{ items: { time: number }[] }>("GET", `/api/log?${query}`);

const tabs = ["tab=members", "tab=projects", "tab=invitations", "tab=settings"];

async function organisationOf(username: string): Promise<string> {
  const person = await demo.client.session(username);
  const { items } = await person.ask<{ items: { id: string }[] }>("GET", "/api/organisation");
  return items[0]?.id ?? "";
}

/** Addresses at which there is nothing to see. */
async function bareOf(visit: Visit, addresses: readonly string[]): Promise<string[]> {
  const bare: string[] = [];
  await using opened = await demo.house.open(visit);
  for (const address of addresses) {
    await goTo(opened.page, address);
    if ((await opened.page.locator("main .empty").count()) > 0) bare.push(address);
  }
  expect(opened.faults).toEqual([]);
  return bare;
}

interface Window {
  limit_micros: number;
  spent_micros: number;
}

async function spentOf(name: string): Promise<number> {
  const path = `/api/budget?q=${encodeURIComponent(name)}`;
  const { items } = await demo.client.control<{ items: { now: Window }[] }>("GET", path);
  const { limit_micros: limit = 1, spent_micros: spent = 0 } = items[0]?.now ?? {};
  return spent / limit;
}

describe("the demo", () => {
  test("its month has failures, refusals and media, and ends now", async () => {
    for (const query of ["outcome=upstream_error", "outcome=rejected", "attempts_min=2"]) {
      expect((await rowsOf(query)).items, query).not.toEqual([]);
    }
    const [newest] = (await rowsOf("page_size=1")).items;
    const agoSeconds = Date.now() / 1000 - (newest?.time ?? 0);
    expect(agoSeconds).toBeGreaterThan(0);
    expect(agoSeconds).toBeLessThan(2 * daySeconds);
    for (const state of ["completed", "failed"]) {
      const path = `/api/task?state=${state}`;
      const { items } = await demo.client.control<{ items: object[] }>("GET", path);
      expect(items, path).not.toEqual([]);
    }
  });

  test("its requests have labels, and of its budgets one is near its mark and one spent", async () => {
    const { items } = await demo.client.control<{ items: { label: string }[] }>(
      "GET",
      "/api/usage?by=label",
    );
    const labels = items.map(({ label }) => label);
    expect(labels.some((label) => label.startsWith("letter:"))).toBeTrue();
    const near = await spentOf("agents this year");
    expect(near).toBeGreaterThan(0.8);
    expect(near).toBeLessThan(1);
    expect(await spentOf("storyboards of the autumn")).toBeGreaterThanOrEqual(1);
  });

  test("no vendor refuses a key, those of clouds included", async () => {
    const path = "/api/channel?page_size=100";
    const { items } = await demo.client.control<{ items: { keys: { status: string }[] }[] }>(
      "GET",
      path,
    );
    const states = items.flatMap(({ keys }) => keys.map(({ status }) => status));
    expect(new Set(states)).toEqual(new Set(["enabled"]));
  });

  test("every page of the console has something to show, and the books add up", async () => {
    const { house, month } = demo;
    // Something runs while the page of what runs is looked at.
    month.vendors.goLive({ restMs: 600_000 });
    const running = month.acts.find(({ ask }) => ask.path === "/v1/messages");
    if (!running) throw new Error("nobody asked for a message");
    const left = demo.client.ask({ ...running, isLeaving: false }).catch(() => null);
    const pages = listedPages().filter(({ name }) => !waits.has(name));
    const asked = (isOwn: boolean) =>
      pages.filter(({ name }) => own.has(name) === isOwn).map(({ name }) => `/console/${name}`);
    const scope = `as=${await organisationOf(owner)}`;
    const scoped = pages
      .filter(({ isScoped }) => isScoped)
      .flatMap(({ name }) =>
        (name === "organisation" ? tabs : [""]).map((tab) => `/console/${name}?${tab}`),
      )
      .map((path) => `${path}&${scope}`);
    const bare = [
      ...(await bareOf({ as: null }, ["/console/models", "/console/status"])),
      ...(await bareOf({ as: "root" }, asked(false))),
      ...(await bareOf({ as: owner }, asked(true))),
      ...(await bareOf({ as: owner, path: `/?${scope}` }, scoped)),
    ];
    expect(bare).toEqual([]);
    await house.gateway.kill();
    await left;
    const verdict = await runCommand({ folder }, "ledger", "verify");
    expect(verdict).toMatchObject({ code: 0, error: "" });
  });
});
