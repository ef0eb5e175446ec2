// Prices in the console, in a real browser: set in dollars, compared, taken over and dropped.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../harness/chromium.ts";
import { openConsole, type ConsoleHouse } from "../../harness/e2e/console.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole();
  await house.addMember("ann");
  await house.gateway.control("POST", "/api/channel", {
    name: "vendor",
    type: "openai",
    base_url: "https://api.openai.com/v1",
    key: "sk-none",
    models: ["gpt-4o-mini", "o4-mini", "nobody-knows-it"],
  });
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

describe("the page of prices", () => {
  test("says what has no price, and sets it in dollars to the micro", async () => {
    await using opened = await house.open({ path: "/console/prices" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "nobody-knows-it" }).click();
    const form = page.getByRole("dialog", { name: "nobody-knows-it" });
    await form.getByLabel("Input", { exact: true }).fill("cheap");
    await form.getByLabel("Output", { exact: true }).fill("2");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("An amount in dollars").waitFor();
    await form.getByLabel("Input", { exact: true }).fill("0.25");
    await form.getByText("Images, video, calls").click();
    await form.getByRole("button", { name: "Add a rule" }).click();
    await form.getByLabel("Quality").fill("high");
    await form.getByLabel("Image").last().fill("0.000001");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("The price of nobody-knows-it was set").waitFor();
    const { items } = await house.gateway.control<{ items: Record<string, unknown>[] }>(
      "GET",
      "/api/price?page_size=100",
    );
    expect(items.find((one) => one["model"] === "nobody-knows-it")).toEqual({
      model: "nobody-knows-it",
      input_micros_per_million: 250_000,
      output_micros_per_million: 2_000_000,
      rules: [{ quality: "high", image_micros: 1 }],
      source: "own",
      declared: false,
    });
    expect(faults).toEqual([]);
  });

  test("offers the published price of a model that has none", async () => {
    await using opened = await house.open({ path: "/console/prices" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "o4-mini" }).click();
    const form = page.getByRole("dialog", { name: "o4-mini" });
    await form.getByRole("note").getByText("Published in").waitFor();
    await form.getByRole("button", { name: "Fill in" }).click();
    await form.getByRole("note").waitFor({ state: "detached" });
    expect(await form.getByLabel("Input", { exact: true }).inputValue()).toBe("1.1");
    expect(await form.getByLabel("Output", { exact: true }).inputValue()).toBe("4.4");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("The price of o4-mini was set").waitFor();
    expect(faults).toEqual([]);
  });

  test("asks before it saves a price below every known one", async () => {
    await house.gateway.control("POST", "/api/price", {
      model: "gpt-4.1-mini",
      input_micros_per_million: 400_000,
      output_micros_per_million: 1_600_000,
    });
    await using opened = await house.open({ path: "/console/prices?q=gpt-4.1-mini" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "gpt-4.1-mini", exact: true }).click();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const form = page.getByRole("dialog", { name: "gpt-4.1-mini" }).last();
    await form.getByLabel("Input", { exact: true }).fill("0.0004");
    await form.getByLabel("Output", { exact: true }).fill("0.0016");
    await form.getByRole("button", { name: "Save" }).click();
    const ask = page.getByRole("dialog", { name: "Below every known price" });
    await ask.getByText("Input: $0.0004, and the lowest known price is $0.40").waitFor();
    const priceOf = async () =>
      await house.gateway.control("GET", "/api/price?source=own&q=gpt-4.1-mini");
    expect(await priceOf()).toMatchObject({ items: [{ input_micros_per_million: 400_000 }] });
    await ask.getByRole("button", { name: "Save this price anyway" }).click();
    await page.getByText("The price of gpt-4.1-mini was set").waitFor();
    expect(await priceOf()).toMatchObject({ items: [{ input_micros_per_million: 400 }] });
    expect(faults).toEqual([]);
  });

  test("shows tiers and rules, and goes back to the catalogue after asking", async () => {
    const tokens = { input_micros_per_million: 1_000_000, output_micros_per_million: 2_000_000 };
    const long_context = { above_tokens: 200_000, input_percent: 200, output_percent: 150 };
    await house.gateway.control("POST", "/api/price", {
      model: "dropped",
      ...tokens,
      long_context,
    });
    await using opened = await house.open({ path: "/console/prices?q=dropped" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "dropped", exact: true }).click();
    const drawer = page.getByRole("dialog", { name: "dropped", exact: true });
    // Digits are those of the list.
    await drawer.getByText("$1.00", { exact: true }).waitFor();
    await drawer.getByText("above 200,000 tokens: input 200 %, output 150 %").waitFor();
    await drawer.getByRole("button", { name: "Reset to catalogue" }).click();
    const ask = page.getByRole("dialog", { name: "Remove the custom price of dropped?" });
    await ask.getByRole("button", { name: "Reset to catalogue" }).click();
    await page.getByRole("heading", { name: "No price matches" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("shows what the published list would change, and takes over what is accepted", async () => {
    await using opened = await house.open({ path: "/console/prices?view=sync" });
    const { page, faults } = opened;
    await page.getByLabel("Accept gpt-4o-mini").waitFor();
    await page.getByLabel("Accept gpt-4o-mini").uncheck();
    expect(await page.getByRole("button", { name: "Apply 0" }).isDisabled()).toBe(true);
    await page.getByLabel("Accept gpt-4o-mini").check();
    await page.getByRole("button", { name: "Apply 1" }).click();
    await page.getByText("1 price was set").waitFor();
    await page.getByRole("heading", { name: "Prices are up to date" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("compares many at once before it writes only those that are accepted", async () => {
    await using opened = await house.open({ path: "/console/prices?view=file" });
    const { page, faults } = opened;
    const asks: unknown[] = [];
    const prices = ["m1", "m2"].map((model) => ({ model, input_micros_per_million: 5 }));
    const changes = prices.map((after) => {
      return { model: after.model, kind: "new", declared: false, before: null, after };
    });
    await page.route("**/api/price/batch", async (route) => {
      asks.push(route.request().postDataJSON());
      const data = { applied: false, changes };
      await route.fulfill({ json: { success: true, message: "", data } });
    });
    await page.getByLabel("Prices as JSON").fill("{}");
    await page.getByRole("button", { name: "Preview changes" }).click();
    await page.getByText("Not a valid JSON list.").waitFor();
    await page.getByLabel("Prices as JSON").fill(JSON.stringify(prices));
    await page.getByRole("button", { name: "Preview changes" }).click();
    await page.getByLabel("Accept m2").uncheck();
    await page.getByRole("button", { name: "Apply 1" }).click();
    await page.getByText("1 price was set").waitFor();
    expect(asks).toEqual([{ prices, dry_run: true }, { prices: prices.slice(0, 1) }]);
    expect(faults).toEqual([]);
  });

  test("is not there for members, and says what failed", async () => {
    await using member = await house.open({ as: "ann", path: "/console/prices" });
    expect(await member.page.getByRole("button", { name: "Set a price" }).count()).toBe(0);
    await using opened = await house.open({ path: "/console/keys" });
    const { page } = opened;
    await page.route("**/api/price?*", async (route) => {
      const json = { success: false, message: "no", code: "overloaded", param: null };
      await route.fulfill({ json });
    });
    await page.goto("/console/prices");
    await page.getByRole("alert").getByText("too busy").waitFor();
  });
});
