// Labels in the console, in a real browser: what they came to, and the requests of one.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../../harness/chromium.ts";
import { axeFindings } from "../../../harness/e2e/axe.ts";
import { openTraffic, type Traffic } from "../../../harness/e2e/traffic.ts";

setDefaultTimeout(60_000);

let traffic: Traffic;

beforeAll(async () => {
  traffic = await openTraffic();
  for (const label of ["search", "search", "import:v2"]) await traffic.ask({ metadata: { label } });
}, browserMsMax);

afterAll(() => traffic?.[Symbol.asyncDispose]());

describe("labels", () => {
  test("have sums of their own by day, and lead to their requests", async () => {
    await using opened = await traffic.house.open({ path: "/console/usage?by=label" });
    const { page, faults } = opened;
    const totals = page.getByRole("table", { name: "Totals" });
    await totals.getByRole("row").filter({ hasText: "import:v2" }).waitFor();
    const steps = page.getByRole("group", { name: "Step" }).getByRole("button");
    expect(await steps.allTextContents()).toEqual(["Day"]);
    expect(await axeFindings(page)).toEqual([]);
    await totals.getByRole("link", { name: "search", exact: true }).click();
    await page.getByText("2 requests", { exact: true }).waitFor();
    expect(page.url()).toContain("/console/requests?label=search");
    expect(faults).toEqual([]);
  });

  test("narrow the list of requests, whose chart is drawn only where it is of the same", async () => {
    await using opened = await traffic.house.open({ path: "/console/requests" });
    const { page, faults } = opened;
    const chart = page.getByRole("img", { name: "Requests over time" });
    await chart.waitFor();
    await page.getByRole("columnheader", { name: "Label" }).waitFor();
    const widths = await page
      .locator(".bar select")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    expect(Math.max(...widths)).toBeLessThanOrEqual(176);
    await page.getByLabel("Any label").selectOption("import:v2");
    await page.getByText("1 request", { exact: true }).waitFor();
    await chart.waitFor({ state: "detached" });
    await page.getByRole("row").filter({ hasText: "import:v2" }).getByRole("button").click();
    await page.getByRole("dialog").getByText("import:v2").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  for (const filter of [
    "stream=true",
    "attempts_min=2",
    "latency_min=1",
    "micros_min=1",
    "q=200",
  ]) {
    test(`a sentence stands in place of the chart, which knows nothing of ${filter}`, async () => {
      await using opened = await traffic.house.open({ path: `/console/requests?${filter}` });
      const { page, faults } = opened;
      await page
        .getByText(/^\d+ requests?$|^No request matches$/)
        .first()
        .waitFor();
      await page.getByText("This filter can't be charted.").waitFor();
      expect(await page.getByRole("img", { name: "Requests over time" }).count()).toBe(0);
      expect(faults).toEqual([]);
    });
  }
});
