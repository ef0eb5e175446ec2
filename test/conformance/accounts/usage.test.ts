// Use by day and model: sums that agree with the log beside them, and with the ledger.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { dayMs, formatDay, parseDay } from "../../../src/core/day.ts";
import {
  as,
  byDay,
  daysOfRun,
  newPerson,
  oldRow,
  refusedField,
  rowsOf,
  writeLog,
} from "../../harness/accounts/usage.ts";
import type { LogItem, Person, UsageAnswer, UsageSums } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { balanceOf, eventually } from "../../harness/books.ts";
import { rootToken, type Gateway } from "../../harness/gateway.ts";
import { completion, delta, usageChunk, Vendor } from "../../harness/vendor.ts";
import type { VendorScript } from "../../harness/vendor.ts";
import { create, idOf, prompt, reaches, startVideos } from "../../harness/videos.ts";
import type { VideoStand } from "../../harness/videos.ts";

setDefaultTimeout(60_000);

/** Orders to the vendor stand in the prompt. */
const script: VendorScript = (request, reply) => {
  const said = JSON.stringify(request.body);
  if (said.includes("fail please")) return reply.json({ error: { message: "no" } }, 500);
  if (request.body["stream"] !== true) return reply.json(completion("Yes."));
  reply.stream();
  reply.event(delta({ role: "assistant", content: "Yes." }));
  if (said.includes("cut please")) return reply.cut();
  reply.event(usageChunk());
  reply.event("[DONE]");
  reply.end();
};
const vendor = new Vendor(script);
let stand: VideoStand;
let gateway: Gateway;

beforeAll(async () => {
  // One failure more or less must not have the channel put aside.
  stand = await startVideos(`
distribution: { failures_to_eject: 1000 }
retention: { log_days: 36500 }
prices: [{ model: videoB-2, second_micros: 100 }]`);
  ({ gateway } = stand);
  const models = ["m", "n"];
  await gateway.control("POST", "/api/channel", vendor.channel({ name: "main", models }));
  for (const model of models) {
    const price = {
      model,
      input_micros_per_million: 1_000_000,
      output_micros_per_million: 3_000_000,
    };
    await gateway.control("POST", "/api/price", price);
  }
});

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

const own = ({ token }: Person, query = "") =>
  as<UsageAnswer>(gateway, token, `/api/usage/self?${query}`);
const all = (query = "") => as<UsageAnswer>(gateway, rootToken, `/api/usage?${query}`);

async function ask(person: Person, body: object): Promise<void> {
  await (await gateway.post("/v1/chat/completions", body, person.key)).text();
}

/** The usage once it has so many requests. */
async function usageOf(person: Person, requests: number, query = ""): Promise<UsageAnswer> {
  return await eventually(`${requests} requests of ${person.username}`, async () => {
    const usage = await own(person, query);
    return usage.sum.requests === requests ? usage : undefined;
  });
}

describe("one's own usage", () => {
  test("N20 is told by day and model, with a sum", async () => {
    const person = await newPerson(gateway, 1_000_000);
    for (const model of ["m", "n", "m"]) await ask(person, chatBody(model));
    const usage = await usageOf(person, 3);
    const none = { cache_read_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 };
    const once = { ...none, failures: 0, images: 0, seconds: 0 };
    const sumOf = (requests: number) => {
      const tokens = { input_tokens: 10 * requests, output_tokens: 20 * requests };
      return { ...once, requests, ...tokens, micros: 70 * requests };
    };
    // Midnight may have come between them, so the log says which day has how many.
    const days = byDay(await rowsOf(gateway, `key=${person.keyId}`, 3));
    const items = days.flatMap(([day, rows]) =>
      ["m", "n"].flatMap((model) => {
        const requests = rows.filter((row) => row.model === model).length;
        return requests === 0 ? [] : [{ day: formatDay(day), model, ...sumOf(requests) }];
      }),
    );
    const toDay = parseDay(usage.to) ?? 0;
    expect(daysOfRun()).toContain(toDay - 1);
    expect(usage).toEqual({
      items,
      total: items.length,
      page: 1,
      page_size: 1000,
      from: formatDay(toDay - 30),
      to: formatDay(toDay),
      sum: sumOf(3),
    });
    const [byKey] = (await own(person, "by=key")).items;
    expect(byKey).toMatchObject({ key_id: person.keyId, key_name: `key of ${person.username}` });
    expect(byKey).not.toHaveProperty("model");
  });

  test("N20 A9 shows nothing of anyone else, whatever is asked for", async () => {
    const [one, other] = [await newPerson(gateway, 1000), await newPerson(gateway, 1000)];
    await ask(other, chatBody("m"));
    await usageOf(other, 1);
    for (const query of [`account=${other.username}`, "channel=main"]) {
      const [name] = query.split("=");
      expect(await refusedField(gateway, one.token, `/api/usage/self?${query}`)).toBe(name);
    }
    for (const query of ["", `key=${other.keyId}`]) {
      const usage = await own(one, query);
      expect([query, usage.items, usage.sum.micros]).toEqual([query, [], 0]);
    }
    for (const by of ["account", "channel", "day,account", "ip"]) {
      const path = `/api/usage/self?by=${by}`;
      expect(await refusedField(gateway, one.token, path)).toBe("by");
    }
    const refused = await gateway.controlEnvelope("GET", "/api/usage", undefined, one.token);
    expect(refused).toMatchObject({ success: false, code: "permission_denied" });
  });

  test("N20 a video counts when it is asked for, and its cost and seconds when it has ended", async () => {
    const person = await newPerson(gateway, 1_000_000);
    const body = { model: "videoB-2", prompt, seconds: "4" };
    const done = idOf(await create(gateway, body, { key: person.key }));
    await reaches(gateway, done, "completed", person.key);
    const failing = { ...body, prompt: `${prompt} sandbox:fail` };
    const failed = idOf(await create(gateway, failing, { key: person.key }));
    await reaches(gateway, failed, "failed", person.key);
    const rows = await rowsOf(gateway, `key=${person.keyId}`, 4);
    const usage = await own(person);
    expect(usage.sum).toMatchObject({ requests: 2, failures: 1, seconds: 4, micros: 400 });
    expect(usage.items).toEqual(
      byDay(rows).map(([day, some]) => ({
        day: formatDay(day),
        model: "videoB-2",
        ...sumsOf(some),
      })),
    );
  });

  test("hazard I7 names of models that a client makes up are counted as one", async () => {
    const person = await newPerson(gateway, 1000);
    for (let at = 0; at < 5; at++) await ask(person, chatBody(`made-up-${at}`));
    const usage = await usageOf(person, 5);
    const rows = await rowsOf(gateway, `key=${person.keyId}`, 5);
    expect(usage.items).toMatchObject(
      byDay(rows).map(([day, { length }]) => ({
        day: formatDay(day),
        model: "",
        requests: length,
        failures: length,
        micros: 0,
      })),
    );
  });
});

describe("a year of it", () => {
  let person: Person;
  const firstDay = Date.UTC(2025, 0, 1) / dayMs;

  beforeAll(async () => {
    person = await newPerson(gateway, 1000);
    const rows = Array.from({ length: 365 }, (_, at) =>
      oldRow({
        at_ms: (firstDay + at) * dayMs + dayMs - 1,
        account_id: person.id,
        key_id: at % 2 === 0 ? person.keyId : "key_00000000000000000000000000",
        model: at % 3 === 0 ? "old-a" : "old-b",
        channel_id: "chn_old",
        micros: at,
      }),
    );
    await writeLog(gateway, rows);
  });

  const year = "from=2025-01-01&to=2026-01-01";
  const sumTo = (count: number) => (count * (count - 1)) / 2;

  test("N20 is read by days and months, models and keys", async () => {
    const whole = await own(person, year);
    expect(whole).toMatchObject({ total: 365, from: "2025-01-01", to: "2026-01-01" });
    expect(whole.sum).toMatchObject({ requests: 365, micros: sumTo(365) });
    expect(whole.items[0]).toMatchObject({ day: "2025-12-31", micros: 364 });
    const january = await own(person, "from=2025-01-01&to=2025-02-01");
    expect(january.sum).toMatchObject({ requests: 31, micros: sumTo(31) });
    // A moment counts with the whole of its day.
    const seconds = (day: number) => Date.UTC(2025, 0, day, 12) / 1000;
    const days = await own(person, `from=${seconds(2)}&to=${seconds(3)}`);
    expect(days.items.map(({ day }) => day)).toEqual(["2025-01-03", "2025-01-02"]);
    const models = await own(person, `${year}&by=model`);
    expect(models.items.map(({ model, requests }) => [model, requests])).toEqual([
      ["old-b", 243],
      ["old-a", 122],
    ]);
    expect((await own(person, `${year}&model=old-a`)).sum.requests).toBe(122);
    expect((await own(person, `${year}&key=${person.keyId}`)).sum.requests).toBe(183);
    const pages = [1, 2, 5].map((page) => own(person, `${year}&page_size=200&p=${page}`));
    const [first, second, past] = await Promise.all(pages);
    expect([first?.items.length, second?.items.length, past?.items.length]).toEqual([200, 165, 0]);
    expect([first?.total, second?.total, past?.total]).toEqual([365, 365, 365]);
  });

  test("N20 an admin reads it by account and by channel, and names what it wants", async () => {
    const byAccount = await all(`${year}&by=account`);
    expect(byAccount.items).toMatchObject([{ account: person.username, requests: 365 }]);
    const byChannel = await all(`${year}&by=channel`);
    expect(byChannel.items).toMatchObject([{ channel_id: "chn_old", channel: null }]);
    expect((await all(`${year}&channel=chn_old&model=old-a`)).sum.requests).toBe(122);
    expect((await all(`${year}&account=${person.username}&by=model`)).total).toBe(2);
    expect((await all(`${year}&key=${person.keyId}`)).sum.requests).toBe(183);
    expect((await all(`${year}&key=nothing`)).sum.requests).toBe(0);
    expect((await all("channel=main&by=channel,model")).items).not.toEqual([]);
  });

  test("N20 what makes no sense is refused by its name", async () => {
    const wrong = {
      from: ["from=yesterday", "from=2025-02-29"],
      to: ["to=x", "from=2025-01-02&to=2025-01-02", "from=2025-01-02&to=2025-01-01"],
      by: ["by=day,nothing", "by=,"],
      account: ["account=nobody"],
      channel: ["by=account,channel", "channel=main&by=key", `channel=main&key=${person.keyId}`],
      page_size: ["page_size=0"],
    };
    for (const [name, queries] of Object.entries(wrong)) {
      for (const query of queries) {
        const field = await refusedField(gateway, rootToken, `/api/usage?${query}`);
        expect([query, field]).toEqual([query, name]);
      }
    }
  });
});

/** Dice that fall the same way in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

/** Returns whether a task was made. */
async function chance(roll: (sides: number) => number, person: Person): Promise<boolean> {
  const { key } = person;
  const model = ["m", "n", "made-up"][roll(3)] ?? "m";
  const words = ["hello", "fail please", "cut please"][roll(3)] ?? "";
  const body = chatBody(model, { messages: [{ role: "user", content: words }] });
  if (roll(5) === 0) {
    const failing = roll(2) === 0 ? " sandbox:fail" : "";
    const video = { model: "videoB-2", prompt: prompt + failing, seconds: "4" };
    const reply = await create(gateway, video, { key });
    // One of the keys runs out of money.
    if (reply.status === 402) return false;
    await reaches(gateway, idOf(reply), failing === "" ? "completed" : "failed", key);
    return true;
  }
  if (roll(2) === 0) {
    await ask(person, body);
  } else {
    const response = await gateway.post("/v1/chat/completions", { ...body, stream: true }, key);
    // A stream that the vendor breaks off may also break off here.
    await response.text().catch(() => "");
  }
  return false;
}

/** Returns how many rows each account must have on the log. */
async function traffic(keys: readonly Person[]): Promise<Map<string, number>> {
  const roll = dice(20_261_116);
  const rows = new Map<string, number>();
  // All keys at once, so that batches of the log mix what is asked for.
  for (let turn = 0; turn < 12; turn++) {
    const asked = keys.map(async (person) => {
      const hasTask = await chance(roll, person);
      rows.set(person.id, (rows.get(person.id) ?? 0) + (hasTask ? 2 : 1));
    });
    await Promise.all(asked);
  }
  return rows;
}

async function assertAgreement(person: Person, count: number): Promise<void> {
  const { used_micros: used } = await eventually("the end of all holds", async () => {
    const balance = await balanceOf(gateway, person.id);
    return balance.held_micros === 0 ? balance : undefined;
  });
  expect(used).toBeGreaterThan(0);
  const rows = await rowsOf(gateway, `account=${person.username}&page_size=100`, count);
  const sums = sumsOf(rows);
  expect(sums.micros).toBe(used);
  const usage = await own(person);
  expect(usage.sum).toEqual(sums);
  for (const item of (await own(person, "by=key")).items) {
    const path = `/api/token/${item.key_id}`;
    const key = await gateway.control<{ used_micros: number }>("GET", path);
    expect(item.micros).toBe(key.used_micros);
  }
  const admin = await all(`account=${person.username}&by=account`);
  expect(admin.items).toMatchObject([usage.sum]);
}

/** Sums of a log's rows. */
function sumsOf(rows: readonly LogItem[]): UsageSums {
  const sum = (name: keyof LogItem & keyof UsageSums) =>
    rows.reduce((whole, row) => whole + (row[name] ?? 0), 0);
  return {
    requests: rows.filter(({ kind }) => kind === "request").length,
    failures: rows.filter(({ outcome }) => !["ok", "client_abort"].includes(outcome)).length,
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    cache_read_tokens: sum("cache_read_tokens"),
    cache_write_tokens: sum("cache_write_tokens"),
    reasoning_tokens: sum("reasoning_tokens"),
    images: sum("images"),
    seconds: sum("seconds"),
    micros: sum("micros"),
  };
}

test("N20 U4 after any traffic the sums are those of the log, and what the ledger charged", async () => {
  const [one, other] = [await newPerson(gateway, 10_000_000), await newPerson(gateway, 10_000_000)];
  const small = await gateway.control<{ id: string; key: string }>("POST", "/api/token", {
    name: "small",
    account: one.username,
    quota_micros: 200,
  });
  const counts = await traffic([one, other, { ...one, key: small.key, keyId: small.id }]);
  for (const person of [one, other]) await assertAgreement(person, counts.get(person.id) ?? 0);
  const byChannel = (await all("by=channel")).items;
  const { micros } = (await all("by=account")).sum;
  expect(byChannel.reduce((sum, item) => sum + item.micros, 0)).toBe(micros);
});
