// The exchange of the secret in a real browser, and what is left to do after it.
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { axeFindings } from "../../../harness/e2e/axe.ts";
import { openConsole, sidewaysOf } from "../../../harness/e2e/console.ts";

setDefaultTimeout(90_000);

test.each([1280, 390] as const)(
  "the secret is exchanged, once a start, at %d px",
  async (width) => {
    await using house = await openConsole('sandbox: "off"\n');
    const file = join(house.gateway.folder, "secret");
    const before = readFileSync(file, "utf8");
    const visit = { path: "/console/operations", width, bypassesPolicy: true };
    await using opened = await house.open(visit);
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Rotate the secret" }).click();
    const sure = page.getByRole("dialog", { name: "Rotate the secret" });
    await sure.getByText("After the next restart").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await sure.getByRole("button", { name: "Rotate the secret" }).click();
    const work = page.getByRole("region", { name: "Rotation of the secret" });
    await work.getByText("Done").waitFor();
    await work.getByText("kept in the file secret.old until the next start").waitFor();
    await page.getByText("restart the gateway before it is exchanged again").waitFor();
    expect(await page.getByRole("button", { name: "Rotate the secret" }).count()).toBe(0);
    expect(readFileSync(file, "utf8")).not.toBe(before);
    expect(await page.content()).not.toContain(readFileSync(file, "utf8"));
    expect(await axeFindings(page)).toEqual([]);
    expect(await sidewaysOf(page)).toBe(0);
    expect(faults).toEqual([]);
  },
);
