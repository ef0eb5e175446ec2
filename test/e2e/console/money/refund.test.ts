// Giving money back from the trace of the request that was charged, in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMsMax } from "../../../harness/chromium.ts";
import { axeFindings } from "../../../harness/e2e/axe.ts";
import { openTraffic, type Traffic } from "../../../harness/e2e/traffic.ts";

setDefaultTimeout(60_000);

let traffic: Traffic;

beforeAll(async () => {
  traffic = await openTraffic();
}, browserMsMax);

afterAll(() => traffic?.[Symbol.asyncDispose]());

interface Account {
  quota_micros: number;
}
interface Charge {
  micros: number;
  account_id: string;
}
interface Entry {
  micros: number;
  reason: string;
}

async function read<Answer>(path: string): Promise<Answer> {
  return await traffic.house.gateway.control<Answer>("GET", path);
}

describe("the refund of a request", () => {
  test("gives back what a request was charged, once, to those who paid", async () => {
    const id = traffic.retriedId;
    const { items } = await read<{ items: Charge[] }>(`/api/log/${id}`);
    const [{ micros = 0, account_id: accountId = "" } = {}] = items;
    expect(micros).toBeGreaterThan(0);
    const before = await read<Account>(`/api/user/${accountId}`);
    for (const outcome of [/ refunded to ann$/, / was already refunded$/]) {
      await using opened = await traffic.house.open({ path: `/console/requests/${id}` });
      const { page, faults } = opened;
      await page.getByRole("button", { name: "Refund", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: `Refund of ${id}` });
      await dialog.getByText(/^ann was charged \$/).waitFor();
      expect(await dialog.getByLabel("Reason").inputValue()).toBe(`Refund of ${id}`);
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Refund" }).click();
      await page.getByText(outcome).waitFor();
      expect(faults).toEqual([]);
    }
    const after = await read<Account>(`/api/user/${accountId}`);
    expect(after.quota_micros - before.quota_micros).toBe(micros);
    const ledger = await read<{ items: Entry[] }>(`/api/ledger?id=credit_refund-${id}`);
    expect(ledger.items).toMatchObject([{ micros, reason: `Refund of ${id}` }]);
  });

  test("says so where another amount was given back before", async () => {
    const id = await traffic.ask();
    const { items } = await read<{ items: Charge[] }>(`/api/log/${id}`);
    await traffic.house.gateway.control("POST", `/api/user/${items[0]?.account_id}/credit`, {
      id: `refund-${id}`,
      micros: 1,
      reason: "a part",
    });
    await using opened = await traffic.house.open({ path: `/console/requests/${id}` });
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: `Refund of ${id}` });
    await dialog.getByRole("button", { name: "Refund" }).click();
    await dialog.getByText("already refunded, with another amount").waitFor();
    expect(faults).toEqual([]);
  });

  test("is not offered to those who may not book credit, nor where nothing was charged", async () => {
    await traffic.house.addMember("supporter");
    await traffic.house.promote("supporter", "support");
    const refused = await traffic.ask({ model: "no-such-model" });
    for (const [as, id] of [
      ["ann", traffic.retriedId],
      ["supporter", traffic.retriedId],
      ["root", refused],
    ] as const) {
      await using opened = await traffic.house.open({ as, path: `/console/requests/${id}` });
      const { page, faults } = opened;
      await page.getByRole("dialog").getByRole("heading", { name: "Details" }).waitFor();
      expect(await page.getByRole("button", { name: "Refund", exact: true }).count()).toBe(0);
      expect(faults).toEqual([]);
    }
  });
});
