// The playground in a real browser, against the sandbox: answers side by side, failures rehearsed,
// pictures, a video, and the same as code.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax, type Page } from "../../harness/chromium.ts";
import { png } from "../../harness/media-samples.ts";
import { openConsole, type ConsoleHouse } from "../../harness/e2e/console.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole();
  await house.addMember("ann");
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

const path = "/console/playground";

async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel(/^Ask something/).fill(text);
  await page.keyboard.press("Enter");
}

function numbers(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => String(first + at));
}

describe("the playground", () => {
  test("asks several models at once by keyboard, and each answer has its cost and trace", async () => {
    await using opened = await house.open({ as: "ann", path: `${path}?model=chatA` });
    const { page, faults } = opened;
    const add = page.getByLabel("Add a model");
    await add.fill("chatB");
    await add.press("Enter");
    await page.waitForURL("**/console/playground?model=chatA%2CchatB");
    await ask(page, "Tell me of rivers");
    for (const model of ["chatA", "chatB"]) {
      const answer = page.getByRole("region", { name: model, exact: true });
      await answer.getByText("rivers").waitFor();
      await answer.getByText(/^\$0\.00\d{4}$/).waitFor();
      expect(await answer.textContent()).toMatch(/to first token\d+ tok\/s\d+ in, \d+ out/);
      const trace = await answer.getByRole("link", { name: "Trace", exact: true });
      expect(await trace.getAttribute("href")).toStartWith("/console/requests/req_");
    }
    expect(await page.getByLabel("Rehearse a failure").count()).toBe(0);
    const spent = await house.gateway.control<{ items: { key_name: string }[] }>(
      "GET",
      "/api/log?account=ann",
    );
    expect(spent.items.map(({ key_name }) => key_name)).toEqual(["console", "console"]);
    expect(faults).toEqual([]);
  });

  test("sends a picture from disk with a question, and shows its name as text", async () => {
    await using opened = await house.open({ as: "ann", path: `${path}?model=chatC` });
    const { page, faults } = opened;
    const name = "<img src=x onerror=alert(1)>.png";
    const files = [
      { name, mimeType: "image/png", buffer: Buffer.from(png(64, 48)) },
      { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") },
    ];
    await page.locator("input[type=file]").setInputFiles(files);
    await page.getByText("notes.txt was not attached").waitFor();
    const attached = page.getByRole("list", { name: "Attached images" });
    await attached.getByText(name).waitFor();
    const asks: string[] = [];
    page.on("request", (request) => asks.push(request.postData() ?? ""));
    for (const format of ["Chat completions", "Gemini"]) {
      await page.getByLabel("Format").selectOption(format);
      await ask(page, `What is in it, ${format}?`);
      const turn = page.getByRole("article", { name: `What is in it, ${format}?` });
      await turn.getByText(/^\$0\.00\d{4}$/).waitFor();
    }
    const turn = page.getByRole("article", { name: "What is in it, Chat completions?" });
    await turn.getByRole("img", { name }).waitFor();
    const sent = asks.filter((text) => text.includes("What is in it"));
    // The second question goes on from the first one, with its picture.
    expect(sent.map((text) => text.includes("iVBORw0KGgo"))).toEqual([true, true]);
    expect(sent.join("")).not.toContain("onerror");
    expect(await page.locator("img[src=x]").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("streams in each of the other formats", async () => {
    await using opened = await house.open({ path: `${path}?model=chatC` });
    const { page, faults } = opened;
    await page.getByLabel("System prompt").fill("Be brief.");
    for (const format of ["Responses", "Messages", "Gemini"]) {
      await page.getByLabel("Format").selectOption(format);
      await ask(page, `Tell me of ${format}bridges`);
      const turn = page.getByRole("article", { name: `${format}bridges` });
      const answer = turn.getByRole("region", { name: "chatC", exact: true });
      await answer.getByText(/asked about/).waitFor();
      await answer.getByText(/ total/).waitFor();
    }
    await page.getByRole("button", { name: "Response", exact: true }).click();
    await page.getByText("Status 200").waitFor();
    expect(faults).toEqual([]);
  });

  test("rehearses a failure, stops an answer, and asks again", async () => {
    await using opened = await house.open({ path: `${path}?model=chatA` });
    const { page } = opened;
    await page.getByLabel("Rehearse a failure").selectOption("An error after five events");
    await ask(page, "Tell me of storms");
    const answer = page.getByRole("region", { name: "chatA", exact: true });
    await answer.getByRole("alert").getByText("server had an error").waitFor();
    await page.getByLabel("Rehearse a failure").selectOption("Stops responding");
    await page.getByRole("button", { name: "Edit and ask again" }).click();
    await page.getByRole("button", { name: "Send" }).click();
    await answer.getByText("You").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await answer.getByText("Stopped").waitFor();
    await page.getByLabel("Additional parameters (JSON)").fill("{");
    await page.getByText("A JSON object").waitFor();
    await page.getByLabel(/^Ask something/).fill("more");
    expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByRole("heading", { name: "One question, up to four models" }).waitFor();
  });

  test("makes a picture, and a video that plays", async () => {
    await using opened = await house.open({ path: `${path}?kind=image&model=imageA-2.5-flare` });
    const { page, faults } = opened;
    await page.getByLabel(/^Describe it/).fill("A fox in the snow");
    await page.keyboard.press("Enter");
    const picture = page.getByRole("img", { name: "Image: A fox in the snow" });
    await picture.waitFor();
    expect(await picture.getAttribute("src")).toStartWith("/media/");
    await page.getByText("$0.060000").waitFor();
    await page.getByRole("button", { name: "Videos" }).click();
    await page.getByLabel("Model", { exact: true }).selectOption("videoB-2");
    await page.getByLabel(/^Describe it/).fill("A fox runs sandbox:seconds=0");
    await page.keyboard.press("Enter");
    await page.getByLabel("Video: A fox runs sandbox:seconds=0").waitFor();
    await page.getByText("$0.400000").waitFor();
    expect(faults).toEqual([]);
  });

  test("offers what each model takes, sends it as it is, and keeps it for the next model", async () => {
    await using opened = await house.open({ path: `${path}?kind=video&model=videoB-2-pro` });
    const { page, faults } = opened;
    const optionsOf = async (label: string) =>
      await page.getByLabel(label, { exact: true }).locator("option").allTextContents();
    await page.getByLabel("Size").waitFor();
    expect(await optionsOf("Size")).toContain("1024x1792");
    await page.getByLabel("Size").selectOption("1280x720");
    await page.getByLabel("Seconds").fill("61");
    await page.getByText("From 1 to 60.").waitFor();
    await page.getByLabel(/^Describe it/).fill("A fox sandbox:seconds=0");
    expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    await page.getByLabel("Seconds").fill("5");
    const [sent] = await Promise.all([
      page.waitForRequest("**/v1/videos"),
      page.getByRole("button", { name: "Send" }).click(),
    ]);
    const prompt = "A fox sandbox:seconds=0";
    const size = "1280x720";
    expect(sent.postDataJSON()).toEqual({ model: "videoB-2-pro", prompt, seconds: 5, size });
    await page.getByLabel(`Video: ${prompt}`).waitFor();
    await page.getByLabel("Model", { exact: true }).selectOption("videoD-h3-768p");
    await page.getByLabel("Watermark").waitFor();
    expect(await optionsOf("Seconds")).toEqual(["required", ...numbers(4, 15)]);
    expect(await page.getByLabel("Seconds", { exact: true }).inputValue()).toBe("5");
    expect(await optionsOf("Aspect ratio")).toContain("21:9");
    expect(await page.getByLabel("Size").count()).toBe(0);
    await page.getByRole("button", { name: "Images" }).click();
    await page.getByLabel("Quantity").waitFor();
    expect(await optionsOf("Quality")).toContain("high");
    expect(faults).toEqual([]);
  });

  test("writes what is in the form as a request and as code", async () => {
    await using opened = await house.open({ path: `${path}?model=chatB&view=request` });
    const { page, faults } = opened;
    await page.getByLabel("Format").selectOption("Messages");
    await page.getByRole("heading", { name: "POST /v1/messages" }).waitFor();
    await page
      .getByLabel("Additional parameters (JSON)")
      .fill('{"thinking": {"type": "disabled"}, "x": true}');
    await page.getByRole("button", { name: "Code", exact: true }).click();
    await page.getByRole("tab", { name: "Python" }).click();
    const code = (await page.getByRole("tabpanel").textContent()) ?? "";
    expect(code).toContain("from anthropic import Anthropic");
    expect(code).toContain("x=True,");
    expect(faults).toEqual([]);
  });

  test("says that there is no model, or what failed", async () => {
    await using opened = await house.open({ path: "/console/account" });
    const { page } = opened;
    let answer: object = { success: false, message: "no", code: "overloaded", param: null };
    await page.route("**/api/model?*", (route) => route.fulfill({ json: answer }));
    await page.goto(path);
    const alert = page.getByRole("alert");
    await alert.getByText("too busy").waitFor();
    answer = { success: true, message: "", data: { items: [], total: 0, page: 1, page_size: 100 } };
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "No models available" }).waitFor();
  });
});
