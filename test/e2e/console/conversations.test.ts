// Conversations of the playground in a real browser: answers as elements, talks that go on, tools
// that are answered by hand, pictures both ways, presets, and four models held against each other.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax, type Page } from "../../harness/chromium.ts";
import { axeFindings } from "../../harness/e2e/axe.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../harness/e2e/console.ts";
import { callFrom, readClipboard, signInFrom, storedIn } from "../../harness/e2e/page.ts";
import { settle } from "../../harness/e2e/walk.ts";
import { png } from "../../harness/media-samples.ts";
import { delta, usageChunk, Vendor } from "../../harness/vendor.ts";

setDefaultTimeout(60_000);

const said = [
  "## Rivers",
  "They are **long** and `wet`, see [a map](https://maps.test/rivers).",
  "- one\n  1. inner\n- two",
  "| name | km |\n|---|--:|\n| Po | 652 |",
  "```js\nconst a = '<b>';\n```",
  "<script>alert(1)</script><style>*{}</style><iframe src=x></iframe>",
  "[run](javascript:alert(1)) [run](JAVASCRIPT:alert(1)) ![x](https://elsewhere.test/x.png)",
  "[home](/console/people) <a href=javascript:alert(1)>x</a>",
].join("\n\n");

const picture = Buffer.from(png(8, 8)).toString("base64");
const image = { type: "image_url", image_url: { url: `data:image/png;base64,${picture}` } };
const usage = {
  prompt_tokens: 1000,
  completion_tokens: 20,
  total_tokens: 1020,
  prompt_tokens_details: { cached_tokens: 750 },
};

let house: ConsoleHouse;
let vendor: Vendor;

beforeAll(async () => {
  house = await openConsole("sandbox: on\n");
  vendor = new Vendor((_request, reply) => {
    reply.stream();
    reply.event(delta({ role: "assistant", content: said, images: [image] }));
    reply.event(delta({}, "stop"));
    reply.event({ ...usageChunk(), usage });
    reply.chunk("data: [DONE]\n\n");
    reply.end();
  });
  await house.gateway.control("POST", "/api/channel", vendor.channel({ models: ["writer"] }));
  const price = { input_micros_per_million: 100, output_micros_per_million: 100 };
  await house.gateway.control("POST", "/api/price", { model: "writer", ...price });
  for (const name of ["ann", "bob"]) await house.addMember(name);
}, browserMsMax);

afterAll(async () => {
  await house?.[Symbol.asyncDispose]();
  vendor?.[Symbol.dispose]();
});

const path = "/console/playground";
const answerOf = (page: Page, model: string) =>
  page.getByRole("region", { name: model, exact: true });

/** The part of a page that the functions need that run inside it. */
declare class DataTransfer {
  items: { add(file: File): void };
}
declare class ClipboardEvent extends Event {
  constructor(name: string, options: object);
}

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: /^Ask something|^输入问题/ }).fill(text);
  await page.keyboard.press("Enter");
}

describe("an answer", () => {
  test.each([
    { width: 1440, theme: "light" },
    { width: 390, theme: "dark" },
  ] as const)("is elements, and whatever it says none that run (%o)", async (look) => {
    await using opened = await house.open({
      as: "ann",
      path: `${path}?model=writer`,
      bypassesPolicy: true,
      ...look,
    });
    const { page, faults } = opened;
    await ask(page, "Tell me of rivers");
    const answer = answerOf(page, "writer");
    await answer.getByRole("heading", { name: "Rivers", level: 3 }).waitFor();
    await answer.getByText(/^\$0\.00\d{4}$/).waitFor();
    await answer.locator("strong", { hasText: "long" }).waitFor();
    await answer.locator("ul > li > ol > li", { hasText: "inner" }).waitFor();
    await answer.getByRole("cell", { name: "652" }).waitFor();
    expect(await answer.locator("pre").textContent()).toBe("const a = '<b>';");
    const links = await answer
      .locator(".markdown a")
      .evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href));
    expect(links).toEqual(["https://maps.test/rivers", "https://elsewhere.test/x.png"]);
    const running =
      ":is(script, style, iframe, object, embed, form, svg:not(.glyph), link, base, meta)";
    expect(await answer.locator(`.markdown ${running}`).count()).toBe(0);
    expect(await answer.locator(".markdown").textContent()).toContain("<script>alert(1)</script>");
    await answer.getByRole("img", { name: "Image: writer" }).waitFor();
    expect(await sidewaysOf(page)).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});

describe("a conversation", () => {
  test("goes on after a reload, with a new name, and is found by nobody else here", async () => {
    await using opened = await house.open({
      as: "ann",
      path: `${path}?model=writer`,
      isAlone: true,
    });
    const { page, faults } = opened;
    await ask(page, "What is the first question?");
    await answerOf(page, "writer")
      .getByText(/^\$0\.00\d{4}$/)
      .waitFor();
    expect(new URL(page.url()).searchParams.get("talk")).not.toBeNull();
    await page.reload();
    const turns = page.getByRole("article");
    await answerOf(page, "writer").getByRole("heading", { name: "Rivers" }).waitFor();
    await ask(page, "And the second?");
    await turns
      .nth(1)
      .getByText(/^\$0\.00\d{4}$/)
      .waitFor();
    const { body } = vendor.requests.at(-1) ?? {};
    expect(body?.["messages"]).toMatchObject([
      { role: "user", content: "What is the first question?" },
      { role: "assistant", content: said },
      { role: "user", content: "And the second?" },
    ]);
    await page.getByRole("button", { name: "Conversations" }).click();
    const list = page.getByRole("dialog", { name: "Conversations" });
    await list.getByRole("button", { name: "Actions for What is the first question?" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    const form = page.getByRole("dialog", { name: "Rename" });
    await form.getByLabel("Name").fill("Of rivers");
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "hidden" });
    await list.getByText("Of rivers").waitFor();
    await list.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "New", exact: true }).click();
    await page.getByRole("heading", { name: "One question, up to four models" }).waitFor();
    await page.getByRole("button", { name: "Conversations" }).click();
    await list.getByRole("button", { name: /^Of rivers/ }).click();
    await turns.nth(1).waitFor();
    const address = page.url();
    expect(JSON.stringify(await storedIn(page))).not.toContain("Rivers");
    await callFrom(page, "POST", "/api/user/logout", {});
    await signInFrom(page, "bob");
    await page.goto(address);
    await page.getByRole("heading", { name: "One question, up to four models" }).waitFor();
    await page.getByRole("button", { name: "Conversations" }).click();
    await list.getByRole("heading", { name: "No conversations yet" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("is deleted, in Chinese and on a phone too", async () => {
    await using opened = await house.open({
      as: "bob",
      path: `${path}?model=writer`,
      language: "zh",
      width: 390,
      bypassesPolicy: true,
    });
    const { page, faults } = opened;
    await ask(page, "长江有多长？");
    await answerOf(page, "writer")
      .getByText(/^\$0\.00\d{4}$/)
      .waitFor();
    await page.getByRole("button", { name: "对话", exact: true }).click();
    await settle(page);
    expect(await axeFindings(page)).toEqual([]);
    expect(await sidewaysOf(page)).toBe(0);
    await page.getByRole("button", { name: "长江有多长？ 的操作" }).click();
    await page.getByRole("menuitem", { name: "删除" }).click();
    const confirm = page.getByRole("dialog", { name: "删除 长江有多长？？" });
    await confirm.getByRole("button", { name: "删除" }).click();
    await page.getByRole("heading", { name: "还没有对话" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "一个问题，最多四个模型" }).waitFor();
    expect(faults).toEqual([]);
  });
});

describe("a tool", () => {
  test.each(["Chat completions", "Responses", "Messages", "Gemini"])(
    "is asked for in %s and answered by hand, and the answer goes on",
    async (format) => {
      await using opened = await house.open({ as: "ann", path: `${path}?model=chatA` });
      const { page, faults } = opened;
      await page.getByLabel("Format").selectOption(format);
      await page.getByLabel("Tools (JSON)").fill("{");
      await page.getByText("A JSON list of tools").waitFor();
      const place = { type: "string", enum: ["Rome"] };
      const parameters = { type: "object", properties: { place }, required: ["place"] };
      await page.getByLabel("Tools (JSON)").fill(JSON.stringify([{ name: "weather", parameters }]));
      await ask(page, "How is the weather?");
      const answer = answerOf(page, "chatA");
      const call = answer.getByRole("region", { name: "Calls weather" });
      await call.getByText('"Rome"').waitFor();
      await call.getByLabel("Result of weather").fill("sunny and 31 degrees");
      const [sent] = await Promise.all([
        page.waitForRequest((request) => (request.postData() ?? "").includes("31 degrees")),
        answer.getByRole("button", { name: "Send results" }).click(),
      ]);
      expect((await sent.response())?.status()).toBe(200);
      await answer
        .getByText(/^\$0\.00\d{4}$/)
        .nth(1)
        .waitFor();
      expect(await answer.getByRole("alert").count()).toBe(0);
      await ask(page, "Thanks");
      await page
        .getByRole("article", { name: "Thanks" })
        .getByText(/^\$0\.00\d{4}$/)
        .waitFor();
      expect(faults).toEqual([]);
    },
  );
});

describe("a picture", () => {
  test("is pasted into the question", async () => {
    await using opened = await house.open({ as: "ann", path: `${path}?model=writer` });
    const { page, faults } = opened;
    const box = page.getByRole("textbox", { name: /^Ask something/ });
    await box.evaluate((element, base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], "image.png", { type: "image/png" }));
      const options = { clipboardData: data, bubbles: true, cancelable: true };
      element.dispatchEvent(new ClipboardEvent("paste", options));
    }, picture);
    await page.getByRole("list", { name: "Attached images" }).getByText("image.png").waitFor();
    await ask(page, "What is in it?");
    await answerOf(page, "writer")
      .getByText(/^\$0\.00\d{4}$/)
      .waitFor();
    expect(JSON.stringify(vendor.requests.at(-1)?.body)).toContain(picture);
    expect(faults).toEqual([]);
  });
});

describe("a preset", () => {
  test("is saved, chosen, sent as a link, and asks nothing by itself", async () => {
    await using opened = await house.open({ as: "ann", path: `${path}?model=writer` });
    const { page, faults } = opened;
    await page.getByLabel("System prompt").fill("Translate into 中文.");
    await page.getByLabel("Temperature").fill("0.2");
    const menu = page.getByRole("button", { name: "Presets" });
    await menu.click();
    await page.getByRole("menuitem", { name: "Save as a preset" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Translator");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await menu.getByText("Translator").waitFor();
    await page.getByLabel("Temperature").fill("1");
    await menu.getByText("Presets").waitFor();
    await menu.click();
    await page.getByRole("menuitem", { name: "Translator", exact: true }).click();
    expect(await page.getByLabel("Temperature").inputValue()).toBe("0.2");
    await menu.click();
    await page.getByRole("menuitem", { name: "Copy a link to share" }).click();
    await page.getByText("The link was copied").waitFor();
    const link = await readClipboard(page);
    const { pathname, hash } = new URL(link);
    const asked = vendor.requests.length;
    await using other = await house.open({ as: "bob", path: pathname + hash });
    await other.page.getByText("Preset loaded from link").waitFor();
    const prompt = other.page.getByLabel("System prompt");
    expect(await prompt.inputValue()).toBe("Translate into 中文.");
    expect(other.page.url()).not.toContain("#");
    expect(other.page.url()).toContain("model=writer");
    expect(vendor.requests.length).toBe(asked);
    expect([...faults, ...other.faults]).toEqual([]);
  });
});

describe("four models", () => {
  test("stand side by side with cost, speed and cached share, one replaced, and are remembered", async () => {
    const names = ["writer", "chatA", "chatB", "chatC"];
    await using opened = await house.open({ as: "ann", path: `${path}?model=${names.join(",")}` });
    const { page, faults } = opened;
    expect(await page.getByLabel("Add a model").count()).toBe(0);
    await ask(page, "Tell me of bridges");
    const table = page.getByRole("table", { name: "Comparison" });
    for (const name of names) {
      await answerOf(page, name)
        .getByText(/^\$0\.00\d{4}$/)
        .waitFor();
      await table.getByRole("row", { name: new RegExp(`^${name} 1 \\$`) }).waitFor();
    }
    await answerOf(page, "writer").getByText("75.0 % cached").waitFor();
    const row = await table.getByRole("row", { name: /^writer/ }).textContent();
    expect(row).toContain("75.0 %");
    expect(row).toMatch(/\d+ tok\/s/);
    // Side by side where there is room, else in pairs.
    const linesAt = async (width: number) => {
      await page.setViewportSize({ width, height: 900 });
      const tops = await page
        .locator(".answer")
        .evaluateAll((all) =>
          all.map((one) => (one as unknown as Boxed).getBoundingClientRect().top),
        );
      return [...Map.groupBy(tops, (top) => top).values()].map(({ length }) => length);
    };
    expect(await linesAt(1280)).toEqual([2, 2]);
    expect(await linesAt(1440)).toEqual([4]);
    await page.getByRole("button", { name: "Remove chatC" }).click();
    await page.getByRole("button", { name: "Remove chatB" }).click();
    await page.getByRole("button", { name: "Remove writer" }).click();
    await page.getByLabel("Model 1").selectOption("chatB");
    await page.goto(path);
    await page.waitForURL("**/console/playground?model=chatB");
    expect(faults).toEqual([]);
  });
});

interface Boxed {
  getBoundingClientRect(): { top: number };
}
