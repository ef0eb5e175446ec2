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
  demo = await openDemo({ folder, seed: "a test", days: 12, share: 0.03 });
}, browserMsMax);

afterAll(async () => {
  await demo?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const rowsOf = (query: string) =>
  demo.client.control<{ items: { id: string }[] }>("GET", `/api/log?${query}`);

describe("the demo", () => {
  test("its month has failures, refusals and media, and ends now", async () => {
    for (const query of ["outcome=upstream_error", "outcome=rejected", "attempts_min=2"]) {
      expect((await rowsOf(query)).items, query).not.toEqual([]);
    }
    for (const state of ["completed", "failed"]) {
      const path = `/api/task?state=${state}`;
      const { items } = await demo.client.control<{ items: object[] }>("GET", path);
      expect(items, path).not.toEqual([]);
    }
  });

  test("every page of the console has something to show, and the books add up", async () => {
    const { house, month } = demo;
    month.vendors.goLive();
    month.vendors.manner = { firstMs: 10, restMs: 600_000, failing: {}, job: "" };
    const [running] = month.acts.filter(({ ask }) => ask.path === "/v1/messages");
    if (running) void demo.client.ask(running).catch(() => null);
    await using opened = await house.open();
    const { page, faults } = opened;
    const bare: string[] = [];
    for (const { name } of listedPages()) {
      await goTo(page, `/console/${name}`);
      if ((await page.locator("main .empty").count()) > 0) bare.push(name);
    }
    expect(bare).toEqual([]);
    expect(faults).toEqual([]);
    await house.gateway.stop();
    const verdict = await runCommand({ folder }, "ledger", "verify");
    expect(verdict).toMatchObject({ code: 0, error: "" });
  });
});
