// The ten main tasks of the console by a keyboard alone: nothing is clicked, focused or filled in
// but by keys.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax, type Page } from "../../harness/chromium.ts";
import { openConsole, type ConsoleHouse, type ConsolePage } from "../../harness/e2e/console.ts";
import { Keyboard } from "../../harness/e2e/keyboard.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;
let opened: ConsolePage;
let page: Page;
let keys: Keyboard;

beforeAll(async () => {
  house = await openConsole();
  await house.addMember("ann");
  opened = await house.open({ as: null, path: "/" });
  ({ page } = opened);
  keys = new Keyboard(page);
}, browserMsMax);

afterAll(async () => {
  await opened?.[Symbol.asyncDispose]();
  await house?.[Symbol.asyncDispose]();
});

const title = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

describe("a keyboard alone", () => {
  test("signs in", async () => {
    await page.getByLabel("Username").waitFor();
    await keys.type("root");
    await keys.press("Tab");
    await keys.type(house.passwordOf("root"));
    await keys.press("Enter");
    await title("Overview");
  });

  test("comes to a page by the palette", async () => {
    await keys.jump("keys");
    await title("Keys");
  });

  test("makes a key", async () => {
    await keys.use("button", "New key");
    await keys.write("Name", "by keys");
    await keys.press("Enter");
    await keys.use("button", "I have saved it");
    await page.getByRole("button", { name: "by keys", exact: true }).waitFor();
  });

  test("makes a first call in the playground", async () => {
    await keys.jump("playground");
    await title("Playground");
    await keys.write(/^Ask something/, "Tell me of rivers");
    await keys.press("Enter");
    await page.getByText(/^\$0\.00\d{4}$/).waitFor();
  });

  test("filters requests and opens one", async () => {
    await house.gateway.post("/v1/chat/completions", { model: "nothing", messages: [] });
    await keys.jump("requests");
    await title("Requests");
    await keys.choose("Outcome", "Success");
    await page.waitForURL("**/console/requests?outcome=ok");
    await page.getByText("1 request", { exact: true }).waitFor();
    await keys.use("button", /^chat/);
    await page.getByRole("dialog").getByRole("heading", { name: "Details" }).waitFor();
    await keys.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("adds a channel", async () => {
    await keys.jump("channels");
    await title("Channels");
    await keys.use("button", "Add channel");
    await keys.choose("Vendor", "Ollama");
    await keys.write("Name", "by keys");
    await keys.write("Models", "gpt-by-keys");
    await keys.use("button", "Add channel");
    await page.getByText("by keys was added").waitFor();
  });

  test("sets a price", async () => {
    await keys.jump("prices");
    await title("Prices");
    await keys.use("button", "gpt-by-keys");
    await keys.write("Input", "0.25");
    await keys.write("Output", "1");
    await keys.press("Enter");
    await page.getByText("The price of gpt-by-keys was set").waitFor();
  });

  test("credits an account", async () => {
    await keys.jump("people");
    await title("People");
    await keys.use("button", "ann");
    await keys.use("button", "Credit");
    await keys.write("Amount", "1.5");
    await keys.write("Reason", "invoice 17");
    await keys.press("Enter");
    await page.getByText("ann: $1.500000 booked").waitFor();
    await keys.press("Escape");
  });

  test("revokes a key", async () => {
    await keys.jump("keys");
    await title("Keys");
    await keys.use("button", "by keys");
    await keys.use("button", "Revoke");
    await page.getByRole("dialog", { name: "Revoke by keys?" }).waitFor();
    await keys.use("button", "Revoke");
    await page.getByRole("button", { name: "by keys", exact: true }).waitFor({ state: "detached" });
  });

  test("signs out", async () => {
    await keys.jump("sign out");
    await title("Sign in to Sluice");
    expect(opened.faults).toEqual([]);
  });
});
