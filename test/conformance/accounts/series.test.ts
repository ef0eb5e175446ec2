// Use over time, from sums: they are those of the log's rows, also by who and what it was, and
// channels are told by attempts.
import { beforeAll, expect, test } from "bun:test";
import {
  as,
  newPerson,
  refusedField,
  rowsOf,
  type LogAnswer,
  type Person,
} from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { rootToken, startGateway } from "../../harness/gateway.ts";
import { completion, Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

interface Sums {
  requests: number;
  failures: number;
  micros: number;
  attempts?: number;
  attempt_failures?: number;
  first_byte: { p50: number; p95: number; p99: number } | null;
  total_time: { p50: number; p95: number; p99: number } | null;
}
interface Series {
  from: number;
  to: number;
  step: number;
  tz: number;
  source: string;
  sum: Sums;
  series: { name: string | null; label: string | null; points: (Sums & { at: number })[] }[];
}

const bad = kept(new Vendor((_request, reply) => reply.json({ error: { message: "no" } }, 500)));
const good = kept(new Vendor((_request, reply) => reply.json(completion("Yes."))));
let one: Person;
let other: Person;

const gateway = useStand(() =>
  startGateway({
    config: `
sandbox: "off"
log: { level: error }
distribution: { failures_to_eject: 1000, retry_budget_percent: 100 }
`,
  }),
);

beforeAll(async () => {
  for (const [vendor, name, priority] of [
    [bad, "bad", 10],
    [good, "good", 0],
  ] as const) {
    const models = name === "bad" ? ["n"] : ["m", "n"];
    await gateway.control("POST", "/api/channel", vendor.channel({ name, priority, models }));
  }
  for (const model of ["m", "n"]) {
    const price = { model, input_micros_per_million: 1_000_000 };
    await gateway.control("POST", "/api/price", { ...price, output_micros_per_million: 3_000_000 });
  }
  [one, other] = [await newPerson(gateway, 1_000_000), await newPerson(gateway, 1_000_000)];
  for (const [person, model] of [
    [one, "m"],
    [one, "m"],
    [one, "n"],
    [other, "m"],
    [other, "nobody-has-it"],
  ] as const) {
    await (await gateway.post("/v1/chat/completions", chatBody(model), person.key)).text();
  }
  const body = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hi" }] };
  await (await gateway.post("/v1/messages", body, one.key)).text();
});

const all = (query: string) => as<Series>(gateway, rootToken, `/api/series?${query}`);
const own = (query: string) => as<Series>(gateway, one.token, `/api/series/self?${query}`);

function totals({ series }: Series): [string | null, number][] {
  return series.map(({ name, points }) => [name, points.reduce((sum, at) => sum + at.requests, 0)]);
}

test("points come to what the log's rows come to, with how long requests took", async () => {
  const rows = await rowsOf(gateway, "", 6);
  const answer = await all("step=900");
  const micros = rows.reduce((sum, row) => sum + row.micros, 0);
  expect(micros).toBeGreaterThan(0);
  expect(answer).toMatchObject({ step: 900, tz: 0, source: "slots" });
  expect(answer.sum).toMatchObject({ requests: 6, failures: 1, micros });
  expect(answer.sum.first_byte?.p50).toBeGreaterThan(0);
  expect(answer.sum.total_time?.p99).toBeGreaterThanOrEqual(answer.sum.total_time?.p50 ?? 0);
  expect(totals(answer)).toEqual([["", 6]]);
  for (const { at } of answer.series.flatMap(({ points }) => points)) {
    expect(at % 900).toBe(0);
    expect(at).toBeLessThanOrEqual(Date.now() / 1000);
  }
});

test("they are told by model, key, account, group, outcome and format", async () => {
  expect(totals(await all("by=model"))).toEqual([
    ["m", 4],
    ["n", 1],
    ["", 1],
  ]);
  expect(totals(await all("by=format"))).toEqual([
    ["chat", 5],
    ["messages", 1],
  ]);
  expect(totals(await all("by=outcome"))).toEqual([
    ["ok", 5],
    ["rejected", 1],
  ]);
  expect(totals(await all("by=group"))).toEqual([["default", 6]]);
  expect(totals(await all("by=key"))).toEqual([
    [one.keyId, 4],
    [other.keyId, 2],
  ]);
  const [first] = (await all("by=account&format=chat")).series;
  expect([first?.name, first?.label]).toEqual([one.id, one.username]);
  expect(totals(await all("by=model&top=1"))).toEqual([
    ["m", 4],
    [null, 2],
  ]);
});

test("what was refused or failed, and the rest, are those of the log's rows", async () => {
  const counts = async (isFailed: boolean) => {
    const query = `failed=${isFailed}`;
    const { items } = await as<LogAnswer>(gateway, rootToken, `/api/log?${query}`);
    return [items.length, (await all(query)).sum.requests];
  };
  expect([await counts(true), await counts(false)]).toEqual([
    [1, 1],
    [5, 5],
  ]);
  const both = "/api/series?failed=true&outcome=ok";
  expect(await refusedField(gateway, rootToken, both)).toBe("failed");
});

test("a channel that failed is told by its attempts, whoever served the request", async () => {
  const { series } = await all("by=channel&model=n");
  const told = series.map(({ label, points: [point] }) => [
    label,
    point?.requests,
    point?.attempts,
    point?.attempt_failures,
  ]);
  expect(told).toEqual([
    ["good", 1, 1, 0],
    ["bad", 0, 1, 1],
  ]);
});

test("members see their own alone, and no channels", async () => {
  expect(totals(await own("by=model"))).toEqual([
    ["m", 3],
    ["n", 1],
  ]);
  expect((await own(`key=${other.keyId}`)).sum.requests).toBe(0);
  expect((await own("")).sum).not.toHaveProperty("attempts");
  for (const by of ["channel", "account"]) {
    expect(await refusedField(gateway, one.token, `/api/series/self?by=${by}`)).toBe("by");
  }
  const path = `/api/series/self?account=${other.username}`;
  expect(await refusedField(gateway, one.token, path)).toBe("account");
  const refused = await gateway.controlEnvelope("GET", "/api/series", undefined, one.token);
  expect(refused).toMatchObject({ success: false, code: "permission_denied" });
});

test("days begin where their zone has midnight, and old ones are those of UTC", async () => {
  const named = await all("step=86400&tz=Asia/Kolkata");
  const zoned = await all("step=86400&tz=330");
  expect(named).toEqual(zoned);
  expect(zoned.tz).toBe(330);
  expect((zoned.from + 330 * 60) % 86_400).toBe(0);
  expect(totals(zoned).map(([, requests]) => requests)).toEqual([6]);
  const old = await all("from=2020-01-01&step=86400&by=model&tz=330");
  expect(old).toMatchObject({ source: "days", tz: 0, is_exact: false });
  expect(totals(old)).toEqual([
    ["m", 4],
    ["n", 1],
    ["", 1],
  ]);
});

test("what is not kept is refused by the field that asks for it", async () => {
  const monthAgo = Math.floor(Date.now() / 1000) - 30 * 86_400;
  for (const [query, field] of [
    ["step=60", "step"],
    [`from=${monthAgo}&step=900`, "step"],
    ["from=2020-01-01&step=3600", "from"],
    ["from=2020-01-01&by=outcome&step=86400", "from"],
    ["tz=7", "tz"],
    ["tz=Mars/Olympus", "tz"],
    ["tz=%2B08:00", "tz"],
    ["top=0", "top"],
    ["by=ip", "by"],
    [`by=key&channel=good`, "channel"],
  ] as const) {
    expect([query, await refusedField(gateway, rootToken, `/api/series?${query}`)]).toEqual([
      query,
      field,
    ]);
  }
});
