// The ledger over the wire: its lines, what is held, how an account adds up, and the verdict.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { as, newPerson, refusedField, type Person } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { eventually } from "../../harness/books.ts";
import { rootToken, startGateway } from "../../harness/gateway.ts";
import { rowsOf } from "../../harness/rows.ts";
import { completion, delta, usageChunk, Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

interface Lines {
  items: Record<string, unknown>[];
  total: number;
  total_is_exact: boolean;
  next: string | null;
}

interface Statement {
  lines: Record<string, unknown>[];
}

interface Verdict {
  ok: boolean;
  took_ms: number;
  rows: { accounts: number; entries: number };
  invariants: { name: string; holds: boolean; violations: object[] }[];
}

const released = Promise.withResolvers<void>();
const vendor = kept(
  new Vendor(async (request, reply) => {
    const { model } = request.body as { model: string };
    if (model !== "slow") return reply.json(completion("hello"));
    reply.stream();
    reply.event(delta({ content: "hello" }));
    await released.promise;
    for (const event of [delta({}, "stop"), usageChunk(), "[DONE]"]) reply.event(event);
    reply.end();
  }),
);
let person: Person;

const gateway = useStand(() => startGateway());

beforeAll(async () => {
  await gateway.control("POST", "/api/channel", vendor.channel({ models: ["m", "slow"] }));
  for (const model of ["m", "slow"]) {
    await gateway.control("POST", "/api/price", {
      model,
      input_micros_per_million: 1_000_000,
      output_micros_per_million: 2_000_000,
    });
  }
  person = await newPerson(gateway, 1_000_000);
  for (let count = 0; count < 3; count++) {
    await (await gateway.post("/v1/chat/completions", chatBody("m"), person.key)).text();
  }
});

afterAll(() => {
  released.resolve();
});

test("every line of an account is listed, by kind, key and id, in pages that go on", async () => {
  const all = await gateway.control<Lines>("GET", `/api/ledger?account=${person.username}`);
  expect(all).toMatchObject({ total: 4, total_is_exact: true, next: null });
  expect(all.items.map(({ kind }) => kind)).toEqual(["post", "post", "post", "grant"]);
  const [newest] = all.items;
  // 10 tokens in and 20 out, at 1 and 2 micros each.
  expect(newest).toMatchObject({ micros: 50, model: "m", key_id: person.keyId, loss_micros: 0 });
  expect(Number(newest?.["held_micros"])).toBe(50 + Number(newest?.["given_back_micros"]));
  const query = `/api/ledger?key=${person.keyId}&kind=post&page_size=2`;
  const first = await gateway.control<Lines>("GET", query);
  const rest = await gateway.control<Lines>("GET", `${query}&cursor=${first.next}`);
  expect([...first.items, ...rest.items]).toEqual(all.items.slice(0, 3));
  expect(rest.next).toBeNull();
  const one = await gateway.control<Lines>("GET", `/api/ledger?id=${String(newest?.["id"])}`);
  expect(one.items).toEqual([newest ?? {}]);
  expect(await gateway.control<Lines>("GET", "/api/ledger?loss=true")).toMatchObject({ total: 0 });
});

test("a member reads its own lines alone, without who booked them and what was lost", async () => {
  const other = await newPerson(gateway, 700);
  const own = await as<Lines>(gateway, other.token, "/api/ledger/self");
  expect(own.items).toMatchObject([{ kind: "grant", micros: 700 }]);
  expect(own.items[0]).not.toHaveProperty("actor");
  expect(own.items[0]).not.toHaveProperty("loss_micros");
  const path = `/api/ledger/self?key=${person.keyId}`;
  expect(await as<Lines>(gateway, other.token, path)).toMatchObject({ items: [], total: 0 });
});

test("an account's equation stands while money is held, and each term has its lines", async () => {
  // A stream's hold is written before anything of it is shown, on whatever engine.
  const body = chatBody("slow", { stream: true });
  const pending = await gateway.post("/v1/chat/completions", body, person.key);
  const path = `/api/user/${person.id}/balance`;
  const during = await gateway.control<Record<string, number>>("GET", path);
  const held = during["held_micros"] ?? 0;
  expect(held).toBeGreaterThan(0);
  expect(during).toMatchObject({
    granted_micros: 1_000_000,
    available_micros: 1_000_000 - held - 150,
    spent_micros: 150,
    adds_up: true,
    grants: { count: 1, micros: 1_000_000 },
    posts: { count: 3, micros: 150 },
    holds: { count: 1, micros: held },
  });
  const holds = await gateway.control<Lines>("GET", `/api/hold?account=${person.username}`);
  expect(holds).toMatchObject({ total: 1, micros: held, items: [{ model: "slow", micros: held }] });
  released.resolve();
  await pending.text();
  const after = await as<object>(gateway, person.token, "/api/user/self/balance");
  expect(after).toMatchObject({ held_micros: 0, spent_micros: 200, adds_up: true });
});

test("the statement of a month adds up by model and key, and to what is left", async () => {
  const path = `/api/statement?account=${person.username}`;
  const now = await gateway.control<Statement>("GET", path);
  const { quota_micros: left } = await as<{ quota_micros: number }>(
    gateway,
    person.token,
    "/api/user/self",
  );
  expect(now).toMatchObject({
    account: person.username,
    is_over: false,
    opening_micros: 0,
    granted_micros: 1_000_000,
    spent_micros: 200,
    closing_micros: left,
    credits: [{ micros: 1_000_000 }],
  });
  expect(now.lines).toMatchObject([
    { model: "m", key_id: person.keyId, charges: 3, micros: 150 },
    { model: "slow", key_id: person.keyId, charges: 1, micros: 50 },
  ]);
  const own = "/api/statement/self";
  expect(await as<Statement>(gateway, person.token, own)).toEqual(now);
  const later = await as<Statement>(gateway, person.token, `${own}?month=2999-12`);
  expect(later).toMatchObject({ opening_micros: left, closing_micros: left, lines: [] });
  const before = await as<Statement>(gateway, person.token, `${own}?month=1999-12`);
  expect(before).toMatchObject({ opening_micros: 0, closing_micros: 0, is_over: true });
  for (const [query, field] of [
    ["month=2026-13", "month"],
    ["month=november", "month"],
    ["account=ann", "account"],
  ] as const)
    expect(await refusedField(gateway, person.token, `${own}?${query}`)).toBe(field);
  expect(await refusedField(gateway, rootToken, "/api/statement")).toBe("account");
});

test("the ledger is a table for other programs, in which nothing is a formula", async () => {
  const odd = await newPerson(gateway, 5);
  const credit = { micros: 7, reason: '=1+1, "said"', id: `odd-${odd.id}` };
  await gateway.control("POST", `/api/user/${odd.id}/credit`, credit);
  const token = "sat-test-root-token-0123456789abcdef";
  const answer = await gateway.get(`/api/ledger.csv?account=${odd.username}`, token);
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const lines = (await answer.text()).trimEnd().split("\r\n");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toStartWith("at,id,kind,account,micros,");
  expect(lines[1]).toContain(`,odd-${odd.id},grant,${odd.username},7,`);
  expect(lines[1]).toContain(`"'=1+1, ""said"""`);
  const refused = await gateway.controlEnvelope("GET", "/api/ledger.csv", undefined, odd.token);
  expect(refused).toMatchObject({ success: false, code: "permission_denied" });
});

test("the verdict names each invariant, and the one that no longer holds", async () => {
  const good = await gateway.control<Verdict>("POST", "/api/ledger/verify");
  expect(good.ok).toBe(true);
  expect(good.invariants).toHaveLength(19);
  expect(good.rows.entries).toBeGreaterThan(4);
  const { first } = gateway;
  // The node that compared them knows the last verdict.
  const last = await eventually("the verdict", async () => {
    const verdict = await gateway.control<Verdict | null>("GET", "/api/ledger/verify");
    return verdict ?? undefined;
  });
  expect(last).toEqual(good);
  const set = (by: string) =>
    rowsOf(
      gateway,
      `update ledger_account set granted_micros = granted_micros ${by},
        available_micros = available_micros ${by} where account_id = '${person.id}' returning 1`,
    );
  await set("+ 1");
  const bad = await first.control<Verdict>("POST", "/api/ledger/verify");
  await set("- 1");
  const status = await first.control<{ process: { last_verify: object } }>("GET", "/api/status");
  expect(status.process.last_verify).toMatchObject({ ok: false });
  const broken = bad.invariants.filter(({ holds }) => !holds).map(({ name }) => name);
  expect(bad.ok).toBe(false);
  expect(broken).toEqual(["an account's granted is the sum of its grants"]);
  expect(bad.invariants[1]?.violations).toMatchObject([{ id: person.id }]);
});
