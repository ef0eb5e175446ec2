// Keys in the console, in a real browser: seen, made, changed, disabled and revoked by whoever may.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../harness/chromium.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../harness/e2e/console.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole();
  await house.addMember("ann");
  await house.addMember("bob");
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

describe("the page of keys", () => {
  test("makes a key that is shown once and works, and lists it with what can be done", async () => {
    await using opened = await house.open({ as: "ann", path: "/console/keys" });
    const { page, faults } = opened;
    await page.getByRole("heading", { name: "No keys yet" }).waitFor();
    await page.getByRole("button", { name: "New key" }).first().click();
    const form = page.getByRole("dialog", { name: "New key" });
    await form.getByLabel("Name").fill("laptop");
    await form.getByLabel("Spending limit").fill("2.5");
    await form.getByRole("button", { name: "New key" }).click();
    const shown = page.getByRole("dialog", { name: "Your new key" });
    const secret = (await shown.locator("code").first().textContent()) ?? "";
    expect(secret).toStartWith("sk-");
    await page.keyboard.press("Escape");
    expect(await shown.isVisible()).toBe(true);
    await shown.getByRole("tab", { name: "Python" }).click();
    expect(await shown.getByRole("tabpanel").textContent()).toContain(secret);
    await shown.getByRole("button", { name: "I have saved it" }).click();
    await page.getByRole("cell", { name: "$0.00 of $2.50" }).waitFor();
    expect(await page.content()).not.toContain(secret);
    expect((await house.gateway.get("/v1/models", secret)).status).toBe(200);
    expect(faults).toEqual([]);
  });

  test("gives what keys have used in two digits, and small amounts in more", async () => {
    await house.addMember("eve");
    for (const name of ["small", "large"])
      await house.gateway.control("POST", "/api/token", { name, account: "eve" });
    await using opened = await house.open({ as: "eve", path: "/console/account" });
    const { page, faults } = opened;
    await page.route("**/api/token?*", async (route) => {
      const reply = await route.fetch();
      const answer = (await reply.json()) as { data: { items: object[] } };
      const amounts = [4_510_000, 5264];
      const items = answer.data.items.map((item, at) => ({ ...item, used_micros: amounts[at] }));
      await route.fulfill({ json: { ...answer, data: { ...answer.data, items } } });
    });
    await page.goto("/console/keys");
    await page.getByRole("cell", { name: "$0.0053" }).waitFor();
    await page.getByRole("cell", { name: "$4.51" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("takes names of every script, and refuses others once, in the page's language", async () => {
    await using opened = await house.open({ as: "ann", path: "/console/keys", language: "zh" });
    const { page, faults } = opened;
    for (const name of ["我的笔记本", "Zoe's laptop", "CI (prod)"]) {
      await page.getByRole("button", { name: "新建密钥" }).first().click();
      const form = page.getByRole("dialog", { name: "新建密钥" });
      await form.getByLabel("名称").fill("a\u202eb");
      await form.getByRole("button", { name: "新建密钥" }).click();
      await form.getByText("请看标出的字段").waitFor();
      expect(await form.getByText("1 至 64 个文字或数字").filter({ visible: true }).count()).toBe(
        1,
      );
      await form.getByLabel("名称").fill(name);
      await form.getByRole("button", { name: "新建密钥" }).click();
      await page.getByRole("button", { name: "我已保存" }).click();
      await page.getByRole("button", { name, exact: true }).waitFor();
    }
    type Keys = { items: { id: string; name: string }[] };
    for (const name of ["我的笔记本", "Zoe's laptop", "CI (prod)"]) {
      const path = `/api/token?q=${encodeURIComponent(name)}`;
      const { items } = await house.gateway.control<Keys>("GET", path);
      expect(items.map((key) => key.name)).toEqual([name]);
      await house.gateway.control("DELETE", `/api/token/${items[0]?.id}`);
    }
    expect(faults.filter((fault) => !fault.includes("400"))).toEqual([]);
  });

  test("changes, disables with a way back, and revokes after asking", async () => {
    await house.gateway.control("POST", "/api/token", { name: "cron", account: "bob" });
    await using opened = await house.open({ as: "bob", path: "/console/keys" });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "cron", exact: true }).click();
    const drawer = page.getByRole("dialog", { name: "cron" });
    await drawer.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("dialog", { name: "cron" }).last();
    await form.getByLabel("Requests per minute", { exact: true }).fill("many");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("A whole number.").waitFor();
    await form.getByLabel("Requests per minute", { exact: true }).fill("60");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("cron was changed").waitFor();
    await drawer.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("cron is enabled").waitFor();
    await drawer.getByRole("button", { name: "Revoke" }).click();
    const ask = page.getByRole("dialog", { name: "Revoke cron?" });
    await ask.getByText("stop working immediately").waitFor();
    await ask.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("heading", { name: "No keys yet" }).waitFor();
    expect(faults).toEqual([]);
  });

  test.each([
    { language: "en", width: 1440, words: ["Rotate", "Rotate turned?", "Your new key"] },
    { language: "zh", width: 390, words: ["轮换", "轮换 turned？", "新密钥"] },
  ] as const)("gives a key another secret, shown once, in $language at $width", async (look) => {
    const { language, width } = look;
    const [rotate, title, shownTitle] = look.words;
    type Made = { id: string; key: string };
    const body = { name: "turned", account: "ann" };
    const { id, key } = await house.gateway.control<Made>("POST", "/api/token", body);
    const path = `/console/keys/${id}`;
    await using opened = await house.open({ as: "ann", path, language, width });
    const { page, faults } = opened;
    await page.getByRole("button", { name: rotate }).click();
    const ask = page.getByRole("dialog", { name: title });
    await ask.getByRole("combobox").selectOption("3600");
    expect(await sidewaysOf(page)).toBe(0);
    await ask.getByRole("button", { name: rotate }).click();
    const shown = page.getByRole("dialog", { name: shownTitle });
    const secret = (await shown.locator("code").first().textContent()) ?? "";
    expect(secret).not.toBe(key);
    const statuses = [secret, key].map(async (one) => house.gateway.get("/v1/models", one));
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 200]);
    await house.gateway.control("DELETE", `/api/token/${id}`);
    expect(faults).toEqual([]);
  });

  test("has the content of a key's requests logged, where that is asked for", async () => {
    const body = { name: "kept", account: "bob" };
    const { id } = await house.gateway.control<{ id: string }>("POST", "/api/token", body);
    await using opened = await house.open({ as: "bob", path: `/console/keys/${id}` });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("dialog", { name: "kept" }).last();
    await form.getByLabel("Log prompts and answers").check();
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("kept was changed").waitFor();
    type Kept = { log_content: boolean };
    const { log_content } = await house.gateway.control<Kept>("GET", `/api/token/${id}`);
    expect(log_content).toBe(true);
    await house.gateway.control("DELETE", `/api/token/${id}`);
    expect(faults).toEqual([]);
  });

  test("shows an admin everyone's keys and a member only their own", async () => {
    await house.gateway.control("POST", "/api/token", { name: "secretly", account: "bob" });
    await using root = await house.open({ path: "/console/keys?q=secretly" });
    await root.page.getByRole("button", { name: "secretly", exact: true }).waitFor();
    await using member = await house.open({ as: "ann", path: "/console/keys?q=secretly" });
    await member.page.getByRole("heading", { name: "No key matches" }).waitFor();
    expect([...root.faults, ...member.faults]).toEqual([]);
  });

  test("says what failed with its code and request id, and tries again", async () => {
    await using opened = await house.open({ path: "/console/account" });
    const { page } = opened;
    let isFailing = true;
    await page.route("**/api/token?*", async (route) => {
      if (!isFailing) return await route.continue();
      const refusal = { success: false, message: "no", code: "overloaded", param: null };
      const headers = { "x-request-id": "req_failing" };
      await route.fulfill({ json: refusal, headers });
    });
    await page.goto("/console/keys");
    const alert = page.getByRole("alert");
    await alert.getByText("too busy").waitFor();
    expect(await alert.textContent()).toContain("overloadedreq_failing");
    isFailing = false;
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table", { name: "Keys" }).waitFor();
  });
});
