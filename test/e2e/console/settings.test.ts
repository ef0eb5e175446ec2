// Settings in the console, in a real browser: changed, undone, locked by the file, and tried out.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { settingOf } from "../../harness/accounts/settings.ts";
import { browserMsMax } from "../../harness/chromium.ts";
import { axeFindings } from "../../harness/e2e/axe.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../harness/e2e/console.ts";
import { kept } from "../../harness/nodes/stand.ts";
import { Vendor } from "../../harness/vendor.ts";

setDefaultTimeout(60_000);

const hooks = kept(new Vendor((_request, reply) => reply.json({ ok: true })));
const config = 'sandbox: "off"\nretention: { log_days: 60 }\n';
let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole(config);
  await house.addMember("ann");
  await house.promote("ann", "admin");
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

test.each([1440, 390] as const)(
  "a setting is changed, undone and put back at %d px",
  async (width) => {
    await using opened = await house.open({
      path: "/console/settings",
      width,
      bypassesPolicy: true,
    });
    const { page, faults } = opened;
    await page.getByRole("button", { name: /^Name/ }).click();
    const drawer = page.getByRole("dialog", { name: "Name" });
    await drawer.getByRole("textbox", { name: "Name" }).fill("x".repeat(61));
    await drawer.getByRole("button", { name: "Save" }).click();
    await drawer.getByText("must NOT have more than 60").first().waitFor();
    await drawer.getByRole("textbox", { name: "Name" }).fill(`Harbour ${width}`);
    await drawer.getByRole("button", { name: "Save" }).click();
    await page.getByText("Name was changed").first().waitFor();
    await drawer.getByText("root,").waitFor();
    expect(await settingOf(house.gateway, "site.name")).toMatchObject({
      value: `Harbour ${width}`,
    });
    await drawer.getByRole("button", { name: "Undo the last change" }).click();
    await drawer.getByRole("button", { name: "Reset to default" }).waitFor({ state: "detached" });
    expect(await settingOf(house.gateway, "site.name")).toMatchObject({ value: "Sluice" });
    expect(await axeFindings(page)).toEqual([]);
    expect(await sidewaysOf(page)).toBe(0);
    expect(faults).toEqual([]);
  },
);

test("what the file states is locked with its line, and admins only read", async () => {
  await using opened = await house.open({ path: "/console/settings/retention.log_days" });
  const drawer = opened.page.getByRole("dialog", { name: "Keep requests (days)" });
  await drawer.getByText(/Set in .*sluice\.yaml:2, which overrides this page/).waitFor();
  expect(await drawer.getByRole("button", { name: "Save" }).count()).toBe(0);
  await using admin = await house.open({ as: "ann", path: "/console/settings/site.name" });
  await admin.page.getByText("Your role cannot change settings.").waitFor();
  expect([...opened.faults, ...admin.faults]).toEqual([]);
});

test("a destination of notices is added, tried out and keeps its secret", async () => {
  await using opened = await house.open({
    path: "/console/settings/notices.destinations",
    bypassesPolicy: true,
  });
  const { page, faults } = opened;
  const drawer = page.getByRole("dialog", { name: "Destinations" });
  await drawer.getByRole("button", { name: "Add", exact: true }).click();
  await drawer.getByLabel("Name", { exact: true }).fill("ops");
  await drawer.getByLabel("Type", { exact: true }).selectOption("webhook");
  await drawer.getByLabel("Webhook URL").fill(`${hooks.url}/ops`);
  await drawer.getByLabel("Signing secret").fill("a secret of this test");
  await drawer.getByRole("button", { name: "Save" }).click();
  await drawer.getByRole("button", { name: "Send a test to ops" }).click();
  await drawer.getByText("The test arrived.").waitFor();
  await drawer.getByText("Leave empty to keep the current one.").first().waitFor();
  await drawer.getByLabel("Disk nearly full").check();
  await drawer.getByRole("button", { name: "Save" }).click();
  await drawer
    .getByText(/"kinds":\["disk_full"\]/)
    .first()
    .waitFor();
  await drawer.getByRole("button", { name: "Send a test to ops" }).click();
  await drawer.getByText("The test arrived.").waitFor();
  expect(hooks.requests.map(({ path }) => path)).toEqual(["/ops", "/ops"]);
  expect(await page.content()).not.toContain("a secret of this test");
  expect(await axeFindings(page)).toEqual([]);
  expect(faults).toEqual([]);
});
