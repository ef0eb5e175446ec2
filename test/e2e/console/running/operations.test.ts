// Backups and restores in a real browser: taken, downloaded, restored and deleted without a shell.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { browserMsMax } from "../../../harness/chromium.ts";
import { axeFindings } from "../../../harness/e2e/axe.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../../harness/e2e/console.ts";

setDefaultTimeout(60_000);

const widths = [1440, 390] as const;
let house: ConsoleHouse;

beforeAll(async () => {
  house = await openConsole('sandbox: "off"\n');
}, browserMsMax);

afterAll(async () => {
  for (const width of widths) rmSync(folderFor(width), { recursive: true, force: true });
  await house?.[Symbol.asyncDispose]();
});

/** Beside the data folder, which stands among those of other tests. */
function folderFor(width: number): string {
  const { folder } = house.gateway;
  return join(dirname(folder), `${basename(folder)}-${width}`);
}

test.each(widths)("a backup is taken, downloaded, restored and deleted at %d px", async (width) => {
  const visit = { path: "/console/operations", width, bypassesPolicy: true };
  await using opened = await house.open(visit);
  const { page, faults } = opened;
  await page.getByRole("button", { name: "Back up now" }).click();
  const ask = page.getByRole("dialog", { name: "Back up now" });
  await ask.getByRole("checkbox", { name: "Include videos, images and files" }).waitFor();
  await ask.getByRole("button", { name: "Back up now" }).click();
  const result = page.getByRole("region", { name: /^Backup sluice-.*\.tar\.gz$/ });
  await result.getByText("Done").waitFor();
  await result.getByText("Ledger entries").waitFor();
  const menu = page.getByRole("button", { name: /^Actions for sluice-/ });
  await menu.click();
  await page.getByRole("menuitem", { name: "Download" }).click();
  const proof = page.getByRole("dialog", { name: /^Download sluice-/ });
  await proof.getByLabel("Confirm it's you").fill("not the password");
  await proof.getByRole("button", { name: "Continue" }).click();
  await proof
    .getByText(/Wrong username or password/)
    .first()
    .waitFor();
  const coming = page.waitForEvent("download");
  await proof.getByLabel("Confirm it's you").fill(house.passwordOf("root"));
  await proof.getByRole("button", { name: "Continue" }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toMatch(/^sluice-.*\.tar\.gz$/);
  const bytes = await Bun.file(await file.path()).bytes();
  expect([...bytes.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  await menu.click();
  await page.getByRole("menuitem", { name: "Restore to a new folder" }).click();
  const form = page.getByRole("dialog", { name: "Restore to a new folder" });
  await form.getByLabel("New folder next to the data").fill("../out");
  await form.getByRole("button", { name: "Continue" }).click();
  await form.getByText("must be a name of letters, digits").first().waitFor();
  await form.getByLabel("New folder next to the data").fill(basename(folderFor(width)));
  await form.getByRole("button", { name: "Continue" }).click();
  const restored = page.getByRole("region", { name: /^Restore of sluice-/ });
  await restored.getByText("Done").waitFor();
  await restored.getByText(`sluice serve --data ${folderFor(width)}`).waitFor();
  expect(existsSync(join(folderFor(width), "sluice.db"))).toBe(true);
  expect(await axeFindings(page)).toEqual([]);
  expect(await sidewaysOf(page)).toBe(0);
  await menu.click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const sure = page.getByRole("dialog", { name: /^Delete sluice-/ });
  await sure.getByRole("button", { name: "Delete" }).click();
  await page.getByText("No backups yet").waitFor();
  expect(faults.filter((fault) => !fault.includes("status of 40"))).toEqual([]);
});
