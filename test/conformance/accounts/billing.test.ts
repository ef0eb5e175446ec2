// The routes of OpenAI's old dashboard, by which clients show what a key may spend and has spent.
import { beforeAll, describe, expect, test } from "bun:test";
import { dayMs, dayOf, formatDay } from "../../../src/core/day.ts";
import {
  byDay,
  daysOfRun,
  newPerson,
  oldRow,
  rowsOf,
  writeLog,
} from "../../harness/accounts/usage.ts";
import type { LogItem, Person } from "../../harness/accounts/usage.ts";
import { chatBody, errorOf } from "../../harness/ask.ts";
import { balanceOf, eventually } from "../../harness/books.ts";
import { rootKey, rootToken, type Gateway } from "../../harness/gateway.ts";
import { completion, Vendor } from "../../harness/vendor.ts";
import { create, idOf, prompt, reaches, startVideos } from "../../harness/videos.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendor = kept(new Vendor((_request, reply) => reply.json(completion("Yes."))));
/** Prices of a call, dearest first. */
const prices = [
  ["m", 12_345],
  ["n", 1],
] as const;
let gateway: Gateway;

const stand = useStand(() =>
  startVideos(`
retention: { log_days: 36500 }
prices: [{ model: videoB-2, second_micros: 100 }]`),
);

beforeAll(async () => {
  ({ gateway } = stand);
  await gateway.control("POST", "/api/channel", vendor.channel({ models: ["m", "n"] }));
  for (const [model, call_micros] of prices) {
    await gateway.control("POST", "/api/price", { model, call_micros });
  }
});

const bases = ["/dashboard/billing", "/v1/dashboard/billing"] as const;

interface DailyCost {
  timestamp: number;
  line_items: { name: string; cost: number }[];
}

interface Usage {
  object: string;
  total_usage: number;
  daily_costs: DailyCost[];
}

async function read<Body>(key: string, path: string, base: string = bases[0]): Promise<Body> {
  const response = await gateway.get(`${base}/${path}`, key);
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as Body;
}

const usage = (key: string, query = "") => read<Usage>(key, `usage${query}`);
const limitOf = async (key: string) =>
  (await read<{ hard_limit_usd: number }>(key, "subscription")).hard_limit_usd;

async function ask({ key }: Pick<Person, "key">, model: string): Promise<void> {
  const response = await gateway.post("/v1/chat/completions", chatBody(model), key);
  expect(response.status).toBe(200);
}

/** The usage once the days tell of so many cents. */
async function usageOf(key: string, cents: number, query = ""): Promise<Usage> {
  return await eventually(`${cents} cents`, async () => {
    const found = await usage(key, query);
    const costs = found.daily_costs.flatMap(({ line_items: items }) => items);
    const micros = costs.reduce((sum, { cost }) => sum + Math.round(cost * 10_000), 0);
    return micros === Math.round(cents * 10_000) ? found : undefined;
  });
}

/** The last day is the first that does not count. */
const range = (fromDay: number, toDay: number) =>
  `?start_date=${formatDay(fromDay)}&end_date=${formatDay(toDay)}`;

/** Cost of a day by the calls on it. */
function costOf(day: number, calls: readonly LogItem[]): DailyCost {
  const items = prices.map(([name, micros]) => {
    const count = calls.filter(({ model }) => model === name).length;
    return { name, cost: (count * micros) / 10_000 };
  });
  return { timestamp: (day * dayMs) / 1000, line_items: items.filter(({ cost }) => cost > 0) };
}

const spentDays = ({ daily_costs: days }: Usage) =>
  days.filter(({ line_items: items }) => items.length > 0);

async function keyOf(person: Person, fields: object): Promise<{ id: string; key: string }> {
  const body = { name: "another", account: person.username, ...fields };
  return await gateway.control("POST", "/api/token", body);
}

describe("the subscription", () => {
  test("U4 N9 has its fields under both addresses", async () => {
    const person = await newPerson(gateway, 2_500_000);
    for (const base of bases) {
      expect(await read<object>(person.key, "subscription", base)).toEqual({
        object: "billing_subscription",
        has_payment_method: true,
        soft_limit_usd: 2.5,
        hard_limit_usd: 2.5,
        system_hard_limit_usd: 2.5,
        access_until: 0,
      });
    }
  });

  test("N9 is the account's for a key without a limit, and the key's own otherwise", async () => {
    const person = await newPerson(gateway, 2_000_000);
    const limited = await keyOf(person, { quota_micros: 100_000, expires_at: 1_900_000_000 });
    await ask(person, "m");
    // Spending stays in the limit: it says how much there was in all.
    expect(await limitOf(person.key)).toBe(2);
    expect(await limitOf(limited.key)).toBe(0.1);
    const shown = await read<object>(limited.key, "subscription");
    expect(shown).toMatchObject({ access_until: 1_900_000_000 });
    const grant = { micros: 500_000, reason: "more" };
    await gateway.control("POST", `/api/user/${person.id}/credit`, grant);
    expect(await limitOf(person.key)).toBe(2.5);
    expect(await limitOf(limited.key)).toBe(0.1);
    expect(await limitOf(rootKey)).toBe(100_000_000);
  });
});

describe("the usage", () => {
  test("U4 N9 has the cents of each day by model, and their total", async () => {
    const person = await newPerson(gateway, 1_000_000);
    for (const model of ["m", "n", "m"]) await ask(person, model);
    // Midnight may have come between them, so the log says which day has which.
    const costs = byDay(await rowsOf(gateway, `key=${person.keyId}`, 3))
      .map(([day, calls]) => costOf(day, calls))
      .toReversed();
    const [firstDay = 0, lastDay = firstDay] = costs.map(({ timestamp }) =>
      dayOf(timestamp * 1000),
    );
    const query = range(firstDay - 1, lastDay + 1);
    const found = await usageOf(person.key, 2.4691, query);
    expect(found).toEqual({
      object: "list",
      total_usage: 2.4691,
      daily_costs: [costOf(firstDay - 1, []), ...costs],
    });
    expect(await read<Usage>(person.key, `usage${query}`, bases[1])).toEqual(found);
    // Without days it is all that the ledger has charged.
    const whole = await usage(person.key);
    expect(whole.total_usage).toBe((await balanceOf(gateway, person.id)).used_micros / 10_000);
    expect(whole.daily_costs).toHaveLength(100);
    expect(daysOfRun()).toContain(dayOf((whole.daily_costs.at(-1)?.timestamp ?? 0) * 1000));
    expect(spentDays(whole)).toEqual(costs);
  });

  test("N9 a video costs on the day it has ended", async () => {
    const person = await newPerson(gateway, 1_000_000);
    const body = { model: "videoB-2", prompt, seconds: "4" };
    const id = idOf(await create(gateway, body, { key: person.key }));
    const { completed_at: endedAt } = await reaches(gateway, id, "completed", person.key);
    const day = dayOf(Number(endedAt) * 1000);
    expect(daysOfRun()).toContain(day);
    const found = await usageOf(person.key, 0.04, `?start_date=${formatDay(day)}`);
    expect(found.daily_costs[0]).toEqual({
      timestamp: (day * dayMs) / 1000,
      line_items: [{ name: "videoB-2", cost: 0.04 }],
    });
    expect(found.total_usage).toBe(0.04);
  });

  test("N9 the first day counts and the last does not", async () => {
    const person = await newPerson(gateway, 1_000_000);
    const day = Date.UTC(2026, 1, 1) / dayMs;
    const rows = Array.from({ length: 59 }, (_, at) =>
      oldRow({
        account_id: person.id,
        key_id: person.keyId,
        at_ms: (day + Math.floor(at / 2)) * dayMs + (at % 2) * (dayMs - 1),
        micros: 10_000,
      }),
    );
    await writeLog(gateway, rows);
    const february = await usage(person.key, "?start_date=2026-02-01&end_date=2026-03-01");
    expect(february.daily_costs).toHaveLength(28);
    expect(february.total_usage).toBe(56);
    const first = await usage(person.key, "?start_date=2026-02-01&end_date=2026-02-02");
    expect(first).toMatchObject({ total_usage: 2, daily_costs: [{ timestamp: 1_769_904_000 }] });
  });

  test.each([
    ["start_date", "?start_date=yesterday"],
    ["start_date", "?start_date=2026-02-30&end_date=2026-03-01"],
    ["start_date", "?start_date=1790000000"],
    ["start_date", "?end_date=2026-03-01"],
    ["start_date", "?start_date=2020-01-01"],
    ["end_date", "?start_date=2026-02-01&end_date=2026-02"],
    ["end_date", "?start_date=2026-02-01&end_date=2026-02-01"],
    ["end_date", "?start_date=2026-02-01&end_date=2026-01-31"],
    ["end_date", "?start_date=2024-01-01&end_date=2026-01-01"],
  ])("N9 a wrong %s is a 400 that names it: %s", async (name, query) => {
    for (const base of bases) {
      const response = await gateway.get(`${base}/usage${query}`);
      expect(response.status).toBe(400);
      const error = await errorOf(response);
      expect(error).toMatchObject({ type: "invalid_request_error", param: name });
    }
  });
});

describe("who may see it", () => {
  test("A9 hazard A15 a key with a limit sees its own money, and no key another account's", async () => {
    const [person, other] = [
      await newPerson(gateway, 1_000_000),
      await newPerson(gateway, 1_000_000),
    ];
    const limited = await keyOf(person, { quota_micros: 100_000 });
    await ask(person, "m");
    await ask(limited, "n");
    await ask(other, "m");
    expect(await usageOf(person.key, 1.2346)).toMatchObject({ total_usage: 1.2346 });
    expect(await usageOf(other.key, 1.2345)).toMatchObject({ total_usage: 1.2345 });
    const own = await usageOf(limited.key, 0.0001);
    expect(own.total_usage).toBe(0.0001);
    const calls = await rowsOf(gateway, `key=${limited.id}`, 1);
    const [day = 0] = byDay(calls).map(([one]) => one);
    const costs = [costOf(day, calls)];
    expect(spentDays(own)).toEqual(costs);
    const query = range(day, day + 1);
    const onlyDay = await usage(limited.key, query);
    expect(onlyDay).toEqual({ object: "list", total_usage: 0.0001, daily_costs: costs });
    for (const trick of [`key=${person.keyId}`, `account=${other.username}`]) {
      expect(await usage(limited.key, `${query}&${trick}`)).toEqual(onlyDay);
    }
  });

  test("U4 without a key, with a wrong one or with an access token it is a 401", async () => {
    for (const base of bases) {
      for (const path of ["subscription", "usage"]) {
        for (const key of ["sk-nobody-has-this-key", rootToken]) {
          const response = await gateway.get(`${base}/${path}`, key);
          expect(response.status).toBe(401);
          expect((await errorOf(response)).code).toBe("invalid_api_key");
        }
        const response = await fetch(`${gateway.url}${base}/${path}`);
        expect(response.status).toBe(401);
      }
    }
  });

  test("U4 asking costs nothing and needs no money, nor may the answer be kept", async () => {
    const person = await newPerson(gateway, 0);
    expect(await limitOf(person.key)).toBe(0);
    expect((await usage(person.key)).total_usage).toBe(0);
    const response = await gateway.get("/dashboard/billing/usage", person.key);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const balance = await balanceOf(gateway, person.id);
    expect(balance).toMatchObject({ quota_micros: 0, held_micros: 0, used_micros: 0 });
    const posted = await gateway.post("/dashboard/billing/usage", {}, person.key);
    expect(posted.status).toBe(405);
  });
});
