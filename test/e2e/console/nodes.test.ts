// The nodes in the console, in a real browser: one that is alone, and several as in a cluster.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { NodeView } from "../../../src/admin/contract.ts";
import { browserMsMax } from "../../harness/chromium.ts";
import { axeFindings } from "../../harness/e2e/axe.ts";
import { openConsole, sidewaysOf, type ConsoleHouse } from "../../harness/e2e/console.ts";

setDefaultTimeout(60_000);

let house: ConsoleHouse;

const node = (name: string, state: NodeView["state"], lent: number): NodeView => ({
  id: `node_${name}`,
  name,
  version: "0.1.0",
  state,
  here: name === "box/1",
  started_at: 1_790_000_000,
  lease_until: 1_790_000_010,
  last_turn_at: state === "dead" ? null : 1_790_000_000,
  lent_micros: lent,
});

const several = {
  success: true,
  message: "",
  data: {
    items: [node("box/1", "live", 1_250_000), node("box/2", "leaving", 0), node("old", "dead", 0)],
    total: 3,
    page: 1,
    page_size: 50,
  },
};

beforeAll(async () => {
  house = await openConsole('server: { node_name: "alone" }\n');
  await house.addMember("ann");
}, browserMsMax);

afterAll(() => house?.[Symbol.asyncDispose]());

describe("the page of nodes", () => {
  test("shows the one that is there, to those who run it alone", async () => {
    await using opened = await house.open({ path: "/console/nodes" });
    const { page, faults } = opened;
    await page.getByRole("cell", { name: "alone this node" }).waitFor();
    await page.getByText("This gateway runs as a single node.").waitFor();
    expect(faults).toEqual([]);
    await using member = await house.open({ as: "ann", path: "/console/nodes" });
    expect(await member.page.getByRole("cell").count()).toBe(0);
  });

  test.each([
    { theme: "light", language: "en", width: 1440, word: "Leaving" },
    { theme: "dark", language: "zh", width: 390, word: "正在退出" },
  ] as const)("shows several with state and lease, cleanly (%o)", async ({ word, ...look }) => {
    await using opened = await house.open({ ...look, path: "/console/keys", bypassesPolicy: true });
    const { page, faults } = opened;
    await page.route("**/api/node?*", (route) => route.fulfill({ json: several }));
    await page.goto("/console/nodes");
    await page.getByText("box/2").waitFor();
    await page.getByText(word).waitFor();
    await page.getByText("$1.25").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await sidewaysOf(page)).toBe(0);
    expect(faults).toEqual([]);
  });
});
