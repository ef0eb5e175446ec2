// Channels in the console, in a real browser: added with the vendor's own models, tested step by
// step, changed, drained, and looked at in a route preview and a dry run.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Locator } from "playwright-core";
import { startSandbox } from "../../../sandbox/server.ts";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { browserMsMax } from "../../harness/chromium.ts";
import { accountFile } from "../../harness/clouds/google-account.ts";
import { openConsole, type ConsoleHouse } from "../../harness/e2e/console.ts";
import { completion, delta, usageChunk, Vendor } from "../../harness/vendor.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;
let vendor: Vendor;

beforeAll(async () => {
  vendor = new Vendor(({ path, body }, reply) => {
    if (path.endsWith("/models")) return reply.json({ data: [{ id: "chatA" }, { id: "chatB" }] });
    if (body["stream"] !== true) return reply.json(completion("Hi"));
    reply.stream();
    reply.event(delta({ role: "assistant", content: "Hi" }));
    reply.event(delta({}, "stop"));
    reply.event(usageChunk());
    reply.chunk("data: [DONE]\n\n");
    reply.end();
  });
  house = await openConsole();
  await house.addMember("ann");
}, browserMsMax);

afterAll(async () => {
  vendor?.[Symbol.dispose]();
  await house?.[Symbol.asyncDispose]();
});

async function addChannel(name: string, fields: Record<string, unknown> = {}): Promise<void> {
  await house.gateway.control("POST", "/api/channel", vendor.channel({ name, ...fields }));
}

declare function getComputedStyle(node: unknown): { getPropertyValue(name: string): string };

/** Way in which typed letters are drawn. */
async function lookOf(field: Locator): Promise<string> {
  const name = "-webkit-text-security";
  return await field.evaluate((node, of) => getComputedStyle(node).getPropertyValue(of), name);
}

/** Above the buttons at the end of the dialog, without anybody scrolling. */
async function inSight(dialog: Locator, shown: Locator): Promise<void> {
  const buttons = await dialog.getByRole("button", { name: "Cancel" }).boundingBox();
  const box = await shown.boundingBox();
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(buttons?.y ?? 0);
}

describe("the page of channels", () => {
  test("adds one with models that the vendor names, after a test that is told by steps", async () => {
    await using opened = await house.open({ path: "/console/channels" });
    const { page, faults } = opened;
    await page.getByRole("heading", { name: "No channels yet" }).waitFor();
    await page.getByRole("button", { name: "Show the sandbox" }).click();
    await page.getByText("sandbox", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Add channel" }).click();
    const form = page.getByRole("dialog", { name: "Add channel" });
    await form.getByLabel("Vendor", { exact: true }).selectOption("ollama");
    expect(await form.getByLabel("Base URL").inputValue()).toContain("11434");
    await form.getByLabel("Name", { exact: true }).fill("first");
    await form.getByLabel("Base URL").fill(vendor.url);
    const keys = form.getByLabel("API keys");
    await keys.fill("sk-vendor-0001\nsk-vendor-0002");
    expect(await lookOf(keys)).toBe("disc");
    await form.getByRole("button", { name: "Show", exact: true }).click();
    expect(await lookOf(keys)).toBe("none");
    await form.getByRole("button", { name: "Fetch its models" }).click();
    await form.getByText("The vendor lists 2 models").waitFor();
    await form.getByRole("button", { name: "All", exact: true }).click();
    expect(await form.getByLabel("Models", { exact: true }).last().inputValue()).toBe(
      "chatA\nchatB",
    );
    await form.getByRole("button", { name: "Test before saving" }).click();
    await form.getByText("It answered a short test question.").waitFor();
    await inSight(form, form.getByText("It answered a short test question."));
    await form.getByText("Status 200").first().waitFor();
    await form.getByRole("button", { name: "Add channel" }).click();
    await page.getByText("first was added").waitFor();
    await page.getByRole("cell", { name: "2 of 2" }).waitFor();
    expect(await page.content()).not.toContain("sk-vendor-0001");
    expect(faults).toEqual([]);
  });

  test("leads from a new channel to the prices that its models lack", async () => {
    await using opened = await house.open({ path: "/console/channels?new=1" });
    const { page, faults } = opened;
    const form = page.getByRole("dialog", { name: "Add channel" });
    await form.getByLabel("Name", { exact: true }).fill("priceless");
    await form.getByLabel("Base URL").fill(vendor.url);
    await form.getByLabel("Allow private address").check();
    await form.getByLabel("API keys").fill("sk-vendor-0003");
    await form.getByLabel("Models", { exact: true }).fill("never-priced");
    await form.getByRole("button", { name: "Add channel" }).click();
    await page.getByText("priceless was added. 1 model has no price").waitFor();
    const drawer = page.getByRole("dialog", { name: "priceless" });
    await drawer.getByText("never-priced").first().waitFor();
    await drawer.getByRole("link", { name: "Set prices" }).click();
    await page.getByRole("button", { name: "never-priced" }).waitFor();
    const { items } = await house.gateway.control<{ items: { id: string }[] }>(
      "GET",
      "/api/channel?q=priceless",
    );
    await house.gateway.control("DELETE", `/api/channel/${items[0]?.id}`);
    expect(faults).toEqual([]);
  });

  test("asks each cloud for what it needs, and no other vendor", async () => {
    await using sandbox = startSandbox({
      port: 0,
      clock: systemClock,
      timers: systemTimers,
      paceMs: 1,
    });
    await using opened = await house.open({ path: "/console/channels" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Add channel" }).click();
    const form = page.getByRole("dialog", { name: "Add channel" });
    await form.getByLabel("Vendor", { exact: true }).selectOption("openai");
    expect(await form.getByLabel("Project", { exact: true }).count()).toBe(0);
    await form.getByLabel("Vendor", { exact: true }).selectOption("vertex");
    await form.getByText("The JSON file of an account").waitFor();
    expect(await form.getByLabel("Region", { exact: true }).count()).toBe(0);
    await form.getByLabel("Project", { exact: true }).fill("sandbox-project");
    await form.getByLabel("Location", { exact: true }).fill("europe-west1");
    await form.getByLabel("Base URL").fill(`${sandbox.url}/vertex`);
    await form.getByLabel("API keys").fill(accountFile(sandbox.url));
    await form.getByLabel("Models", { exact: true }).last().fill("gemini-3-pro");
    await form.getByText("Routing, mapping and limits").click();
    await form.getByLabel("Allow private address").check();
    await form.getByRole("button", { name: "Test before saving" }).click();
    await form.getByText("Credentials obtained").waitFor();
    await form.getByText("It answered a short test question.").waitFor();
    expect(sandbox.calls().recent.at(-1)?.path).toContain("/locations/europe-west1/");
    await form.getByRole("button", { name: "Add channel" }).click();
    await page.getByText("vertex was added").waitFor();
    expect(faults).toEqual([]);
    const path = "/api/channel?q=vertex";
    const { items } = await house.gateway.control<{ items: { vendor: object }[] }>("GET", path);
    expect(items[0]?.vendor).toEqual({ project: "sandbox-project", location: "europe-west1" });
  });

  test("fills a preset's address in from the region, and asks for what only its owner knows", async () => {
    await using opened = await house.open({ path: "/console/channels" });
    const { page } = opened;
    await page.getByRole("button", { name: "Add channel" }).click();
    const form = page.getByRole("dialog", { name: "Add channel" });
    const add = form.getByRole("button", { name: "Add channel" });
    await form.getByLabel("Vendor", { exact: true }).selectOption("azure");
    await form.getByLabel("API keys").fill("azure-key-0001");
    await form.getByLabel("Models", { exact: true }).last().fill("gpt-5-mini");
    await add.click();
    await form.getByText("has {resource} in it, for you to fill in").first().waitFor();
    await form.getByLabel("Vendor", { exact: true }).selectOption("bedrock");
    await form.getByLabel("API keys").fill("bedrock-key-0001");
    await add.click();
    await form.getByText("has {region} in it, for you to fill in").first().waitFor();
    await form.getByLabel("Region", { exact: true }).fill("eu-west-1");
    await add.click();
    await page.getByText("bedrock was added").waitFor();
    const path = "/api/channel?q=bedrock";
    const { items } = await house.gateway.control<{ items: object[] }>("GET", path);
    expect(items[0]).toMatchObject({
      base_url: "https://bedrock-runtime.eu-west-1.amazonaws.com",
      vendor: { region: "eu-west-1" },
    });
  });

  test("puts them in order by hand: by the arrow keys, by dragging, and back again", async () => {
    await addChannel("move-one", { priority: 30 });
    await addChannel("move-two", { priority: 20 });
    await addChannel("move-three", { priority: 10 });
    /** Priorities of one, three and two. */
    const priorities = async () => {
      const { items } = await house.gateway.control<{ items: { priority: number }[] }>(
        "GET",
        "/api/channel?q=move-&sort=name",
      );
      return items.map(({ priority }) => priority);
    };
    await using opened = await house.open({ path: "/console/channels?q=move-" });
    const { page, faults } = opened;
    const grip = page.getByRole("button", { name: "Move move-three" });
    await grip.press("ArrowUp");
    await page.getByText("move-three has priority 20").waitFor();
    expect(await priorities()).toEqual([30, 20, 20]);
    await page.locator("tr", { hasText: "move-three" }).getByTitle("Priority 20,").waitFor();
    await page.keyboard.press("ArrowUp");
    await page.getByText("move-three has priority 25").waitFor();
    const first = page.locator("tr", { hasText: "move-one" });
    const { height = 0 } = (await first.boundingBox()) ?? {};
    await page
      .getByRole("button", { name: "Move move-two" })
      .dragTo(first, { targetPosition: { x: 200, y: height * 0.5 } });
    await page.getByText("move-two has priority 30").waitFor();
    expect(await priorities()).toEqual([30, 25, 30]);
    await page.getByRole("button", { name: "Undo" }).last().click();
    await page.locator("tr", { hasText: "move-two" }).getByTitle("Priority 20,").waitFor();
    expect(await priorities()).toEqual([30, 25, 20]);
    expect(faults).toEqual([]);
  });

  test("changes, drains with a way back, copies and deletes one after asking", async () => {
    await addChannel("second", { concurrency: 5 });
    await using opened = await house.open({ path: "/console/channels?q=second" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "second openai" }).click();
    const drawer = page.getByRole("dialog", { name: "second", exact: true });
    await drawer.getByText("…0000").waitFor();
    await drawer.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("dialog", { name: "second", exact: true }).last();
    await form.getByLabel("Weight").fill("heavy");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("A whole number.").waitFor();
    await form.getByLabel("Weight").fill("3");
    await form.getByLabel("Model mapping").fill("chatA = chat-a-2026");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("second was changed").waitFor();
    await drawer.getByText("chat-a-2026").waitFor();
    await drawer.getByText("Priority 0, weight 3").waitFor();
    await drawer.getByRole("button", { name: "Disable and drain" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("second is enabled").waitFor();
    await drawer.getByRole("button", { name: "Copy", exact: true }).last().click();
    const copy = page.getByRole("dialog", { name: "second copy", exact: true });
    await copy.getByRole("button", { name: "Delete" }).click();
    const ask = page.getByRole("dialog", { name: "Delete second copy?" });
    await ask.getByRole("button", { name: "Delete" }).click();
    await page.getByText("second copy was deleted").waitFor();
    expect(faults).toEqual([]);
  });

  test("tests a saved one and changes several at once", async () => {
    await addChannel("batch-a");
    await addChannel("batch-b");
    await using opened = await house.open({ path: "/console/channels?q=batch" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Actions for batch-a" }).click();
    await page.getByRole("menuitem", { name: "Test" }).click();
    const dialog = page.getByRole("dialog", { name: "Test batch-a" });
    await dialog.getByRole("button", { name: "Test" }).click();
    await dialog.getByText("It answered a short test question.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Select batch-a").check();
    await page.getByLabel("Select batch-b").check();
    await page.getByRole("button", { name: "Set priority" }).click();
    const form = page.getByRole("dialog", { name: "Set priority" });
    await form.getByLabel("Priority").fill("7");
    await form.getByRole("button", { name: "Set priority" }).click();
    await page.getByText("2 have priority 7").waitFor();
    await page.getByTitle("Priority 7, weight 1").first().waitFor();
    expect(faults).toEqual([]);
  });

  test("takes channels in by YAML after showing what would happen", async () => {
    await using opened = await house.open({ path: "/console/channels" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Import and export YAML" }).click();
    const dialog = page.getByRole("dialog", { name: "Channels as YAML" });
    await dialog.getByText("channels:").waitFor();
    await dialog.getByRole("tab", { name: "Import" }).click();
    const channel = "channels:\n  - {name: by-yaml, type: openai, key: k, models: [m], base_url: ";
    await dialog.getByLabel("Import").last().fill(`${channel}"https://api.example.com"}`);
    await dialog.getByRole("button", { name: "Preview changes" }).click();
    await dialog.getByText("by-yaml", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Import" }).click();
    await page.getByText("1 were imported").waitFor();
    await page.getByRole("button", { name: "by-yaml openai" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("previews where a request goes, and how a weight would change it", async () => {
    await addChannel("route-a", { models: ["routed"], priority: 5 });
    await addChannel("route-b", { models: ["routed"], priority: 5 });
    await house.gateway.control("POST", "/api/price", {
      model: "routed",
      input_micros_per_million: 1,
      output_micros_per_million: 1,
    });
    await using opened = await house.open({ path: "/console/channels?view=route" });
    const { page, faults } = opened;
    await page.getByLabel("Model", { exact: true }).fill("routed");
    const table = page.getByRole("table", { name: "Candidates, in order" });
    await table.getByText("50.0 %").first().waitFor();
    await table.getByLabel("Trial weight of route-a").fill("3");
    await table.getByText("75.0 %").waitFor();
    await page
      .getByRole("table", { name: "Excluded" })
      .getByText("does not serve")
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Save weights" }).click();
    await page.getByText("Weights saved").waitFor();
    expect(faults).toEqual([]);
  });

  test("shows what a vendor would get of a request", async () => {
    await using opened = await house.open({ path: "/console/channels?view=convert" });
    const { page, faults } = opened;
    const asks: unknown[] = [];
    const hold = { micros: 12, input_tokens_max: 8, output_tokens_max: 4 };
    const answer = { format: "messages", converted: true, upstream_model: "m", hold, reply: null };
    const sent = { url: "https://vendor/v1/messages", headers: { "x-api-key": "[key]" } };
    const told = { ignored: ["logit_bias"], added: ["max_tokens=4"] };
    const data = { ...answer, ...sent, body: { max_tokens: 4 }, ...told };
    await page.route("**/api/convert", async (route) => {
      asks.push(route.request().postDataJSON());
      await route.fulfill({ json: { success: true, message: "", data } });
    });
    await page.getByLabel("Target").selectOption("messages");
    await page.getByLabel("Request").fill("{");
    await page.getByRole("button", { name: "Convert" }).click();
    await page.getByText("Not valid JSON.").waitFor();
    await page.getByLabel("Request").fill('{"model":"m","messages":[]}');
    await page.getByRole("button", { name: "Convert" }).click();
    await page.getByText("logit_bias").waitFor();
    await page.getByText("max_tokens=4").waitFor();
    await page.getByText("$0.000012, for at most 8 tokens in and 4 out").waitFor();
    const body = { model: "m", messages: [] };
    expect(asks).toEqual([{ format: "chat", body, dialect: "messages" }]);
    expect(faults).toEqual([]);
  });

  test("is not there for members, and says what failed", async () => {
    await using member = await house.open({ as: "ann", path: "/console/channels" });
    expect(await member.page.getByRole("button", { name: "Add channel" }).count()).toBe(0);
    await using opened = await house.open({ path: "/console/keys" });
    const { page } = opened;
    await page.route("**/api/channel?*", async (route) => {
      const json = { success: false, message: "no", code: "overloaded", param: null };
      await route.fulfill({ json });
    });
    await page.goto("/console/channels");
    await page.getByRole("alert").getByText("too busy").waitFor();
  });
});
