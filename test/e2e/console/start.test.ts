// The first steps in a real browser: skipped and done, a vendor that is tried before it is saved, a
// key, and the first call answered on the page.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../harness/chromium.ts";
import { cline, fileAgents } from "../../../src/cli/setup/agents.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../harness/e2e/console.ts";
import { Vendor } from "../../harness/vendor.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole();
  await house.addMember("ann");
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

const path = "/console/start";

describe("the first steps", () => {
  test("lead from the card on the first page to an answered call, and then the card is gone", async () => {
    await using opened = await house.open({ path: "/" });
    const { page, faults } = opened;
    const card = page.getByRole("region", { name: "First steps" });
    await card.getByText("0 of 4 done").waitFor();
    await card.getByRole("link", { name: "Continue" }).click();
    await page.getByRole("button", { name: "I saved the password" }).click();
    await page.getByRole("button", { name: "Continue with the sandbox" }).click();
    await page.getByLabel("Key name").fill("first app");
    await page.keyboard.press("Enter");
    await page.getByText("Shown only once").waitFor();
    const secret = (await page.locator("code").first().textContent()) ?? "";
    expect(secret).toStartWith("sk-");
    const setups = page.getByRole("region", { name: "Set up a coding agent" });
    expect(await setups.locator("code").first().textContent()).toBe(`export SLUICE_KEY=${secret}`);
    const { url } = house.gateway;
    for (const name of [...Object.keys(fileAgents), cline]) {
      const command = setups.getByText(`sluice setup ${name} --url ${url}`);
      await command.waitFor();
      const needsModel = name === cline || fileAgents[name]?.needsModel === true;
      expect([name, (await command.textContent())?.includes(" --model ")]).toEqual([
        name,
        needsModel,
      ]);
    }
    const count = Object.keys(fileAgents).length + 2;
    expect(await setups.getByRole("button", { name: "Copy" }).count()).toBe(count);
    expect(await sidewaysOf(page)).toBe(0);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("the key you just created").waitFor();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("region", { name: "Answer" }).getByText("You asked about").waitFor();
    await page.getByText(/It cost \$0\.00\d{4}\./).waitFor();
    const { items } = await house.gateway.control<{ items: { key_name: string }[] }>(
      "GET",
      "/api/log",
    );
    expect(items.map(({ key_name }) => key_name)).toEqual(["first app"]);
    await page.getByRole("button", { name: "Go to overview" }).click();
    await page
      .getByRole("heading", { level: 1, name: "First steps" })
      .waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await card.count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("add a vendor that is in no list, at an address on one's own network", async () => {
    using vendor = new Vendor((_request, reply) => reply.json({ data: [{ id: "own-model" }] }));
    await using opened = await house.open({ path: `${path}?step=vendor` });
    const { page, faults } = opened;
    await page.getByLabel("Vendor", { exact: true }).selectOption({ label: "Other" });
    await page.getByLabel("Name", { exact: true }).fill("rack");
    await page.getByLabel("Base URL").fill(vendor.url);
    await page.getByLabel("API key").fill("none");
    await page.getByRole("button", { name: "Fetch models" }).click();
    await page.getByLabel("Allow this private address").check();
    await page.getByRole("button", { name: "Fetch models" }).click();
    await page.getByText("1 model added from the vendor.").waitFor();
    await page.getByRole("button", { name: "Save the channel" }).click();
    await page.waitForURL("**step=key");
    const { items } = await house.gateway.control<{ items: { id: string }[] }>(
      "GET",
      "/api/channel?q=rack",
    );
    expect(items).toMatchObject([{ name: "rack", models: ["own-model"], allow_private: true }]);
    await house.gateway.control("DELETE", `/api/channel/${items[0]?.id}`);
    expect(faults).toEqual([]);
  });

  test("can be skipped one by one, and are nothing for members", async () => {
    await using opened = await house.open({ path });
    const { page, faults } = opened;
    for (const step of ["vendor", "key"]) {
      await page.getByRole("button", { name: /^(?:Skip|Next)$/ }).click();
      await page.waitForURL(`**${path}?step=${step}`);
    }
    await using member = await house.open({ as: "ann", path });
    await member.page.getByText("Page not found").first().waitFor();
    expect([...faults, ...member.faults]).toEqual([]);
  });

  test("say what is wrong with a vendor before it is saved, and take its models over", async () => {
    using vendor = new Vendor((request, reply) => {
      const isKnown = request.headers["authorization"] === "Bearer sk-right";
      if (!isKnown) return reply.json({ error: { message: "no such key" } }, 401);
      const data = [{ id: "gpt-5-mini", object: "model" }];
      if (request.path.endsWith("/models")) return reply.json({ object: "list", data });
      const message = { role: "assistant", content: "pong" };
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      return reply.json({ choices: [{ index: 0, message, finish_reason: "stop" }], usage });
    });
    await using opened = await house.open({ path: `${path}?step=vendor` });
    const { page, faults } = opened;
    await page.getByLabel("Vendor", { exact: true }).selectOption("Ollama");
    await page.getByLabel("Base URL").fill(`${vendor.url}/v1`);
    await page.getByLabel("API key").fill("sk-wrong");
    await page.getByLabel("Models").fill("gpt-5-mini");
    await page.getByRole("button", { name: "Test" }).click();
    await page.getByText("Test failed").waitFor();
    await page.getByLabel("API key").fill("sk-right");
    await page.getByLabel("Models").fill("");
    await page.getByRole("button", { name: "Fetch models" }).click();
    await page.getByText("1 model added from the vendor").waitFor();
    expect(await page.getByLabel("Models").inputValue()).toBe("gpt-5-mini");
    await page.getByRole("button", { name: "Test" }).click();
    await page.getByText("It works").waitFor();
    await page.getByRole("button", { name: "Save the channel" }).click();
    await page.waitForURL(`**${path}?step=key`);
    const { items } = await house.gateway.control<{ items: { name: string; models: string[] }[] }>(
      "GET",
      "/api/channel",
    );
    expect(items.map(({ name, models }) => [name, models])).toEqual([["ollama", ["gpt-5-mini"]]]);
    expect(faults).toEqual([]);
  });
});
