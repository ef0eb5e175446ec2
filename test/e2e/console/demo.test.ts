// The demo's month, a shorter one: its books add up, and every page of the console has something to
// show of it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDemo, type DemoHouse } from "../../demo/house.ts";
import { browserMsMax } from "../../harness/chromium.ts";
import { runCommand } from "../../harness/command.ts";
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

/** Pages of what one has oneself; root has nothing of it. */
const own = new Set(["assets", "webhooks"]);

const rowsOf = (query: string) =>
  demo.client.control<{ items: { time: number }[] }>("GET", `/api/log?${query}`);

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

  // The playground alone is empty until somebody asks.
  test("every page of the console has something to show, and the books add up", async () => {
    const { house, month } = demo;
    // Something runs while the page of what runs is looked at.
    month.vendors.goLive({ restMs: 600_000 });
    const running = month.acts.find(({ ask }) => ask.path === "/v1/messages");
    if (!running) throw new Error("nobody asked for a message");
    const left = demo.client.ask({ ...running, isLeaving: false }).catch(() => null);
    const bare: string[] = [];
    const pages = listedPages().filter(({ name }) => name !== "playground");
    for (const as of ["root", "emil.lindqvist"]) {
      const isOwner = as !== "root";
      await using opened = await house.open({ as });
      const { page, faults } = opened;
      for (const { name } of pages.filter((one) => own.has(one.name) === isOwner)) {
        await goTo(page, `/console/${name}`);
        if ((await page.locator("main .empty").count()) > 0) bare.push(name);
      }
      expect(faults).toEqual([]);
    }
    expect(bare).toEqual([]);
    await house.gateway.kill();
    await left;
    const verdict = await runCommand({ folder }, "ledger", "verify");
    expect(verdict).toMatchObject({ code: 0, error: "" });
  });
});
