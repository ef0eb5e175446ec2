// The usage log: one row a request and one for the end of each task, for who may see it.
import { beforeAll, describe, expect, test } from "bun:test";
import { dayMs, formatDay, dayOf } from "../../../src/core/day.ts";
import { usageLogMigrations } from "../../../src/observe/versions/queries.ts";
import { toVersions } from "../../../src/store/sqlite/dialect.ts";
import {
  as,
  newPerson,
  oldRow,
  refusedField,
  rowsOf,
  writeLog,
} from "../../harness/accounts/usage.ts";
import type { LogAnswer, LogItem, Person, UsageAnswer } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { Folder } from "../../harness/folder.ts";
import { rootToken, startGateway, type Gateway } from "../../harness/gateway.ts";
import { keepOnFiles } from "../../harness/postgres.ts";
import { addressOf, routes } from "../../harness/route-table.ts";
import { openDatabase } from "../../harness/rows.ts";
import { completion, Vendor } from "../../harness/vendor.ts";
import { create, idOf, prompt, reaches, startVideos } from "../../harness/videos.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendor = kept(new Vendor((_request, reply) => reply.json(completion("Yes."))));
let gateway: Gateway;
let alice: Person;
let bob: Person;

const stand = useStand(() =>
  startVideos(`
retention: { log_days: 36500 }
prices: [{ model: videoB-2, second_micros: 100 }]`),
);

beforeAll(async () => {
  ({ gateway } = stand);
  const channel = vendor.channel({ name: "main", models: ["m", "n"] });
  await gateway.control("POST", "/api/channel", channel);
  for (const model of ["m", "n"]) {
    await gateway.control("POST", "/api/price", { model, call_micros: 50 });
  }
  alice = await newPerson(gateway, 1_000_000);
  bob = await newPerson(gateway, 1_000_000);
});

const log = (query: string) => as<LogAnswer>(gateway, rootToken, `/api/log?${query}`);
const ownLog = ({ token }: Person, query = "") =>
  as<LogAnswer>(gateway, token, `/api/log/self?${query}`);

describe("what a row tells", () => {
  test("N20 a request has time, ids, key, model, tokens, micros, times, status and address", async () => {
    const person = await newPerson(gateway, 1_000_000);
    const response = await gateway.post("/v1/chat/completions", chatBody("m"), person.key);
    expect(response.status).toBe(200);
    const [row] = await rowsOf(gateway, `key=${person.keyId}`, 1);
    expect(row).toEqual({
      time: expect.any(Number),
      format: "chat",
      request_id: response.headers.get("x-request-id") ?? "",
      kind: "request",
      task_id: null,
      trace_id: null,
      asked_model: null,
      served_model: null,
      replay_of: null,
      label: null,
      cost_micros: 50,
      key_id: person.keyId,
      key_name: `key of ${person.username}`,
      group: "default",
      route: "/v1/chat/completions",
      model: "m",
      status: 200,
      outcome: "ok",
      stream: false,
      input_tokens: 10,
      output_tokens: 20,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
      reasoning_tokens: 0,
      images: 0,
      seconds: 0,
      estimated: false,
      micros: 50,
      latency_ms: expect.any(Number),
      first_byte_ms: expect.any(Number),
      ip: "127.0.0.1",
      error_code: null,
      error_message: null,
      error_detail: null,
      account: person.username,
      channel: "main",
      account_id: expect.stringMatching(/^acc_/),
      channel_id: expect.stringMatching(/^chn_/),
      attempts: 1,
    } as unknown as LogItem);
    const { items } = await ownLog(person);
    const shown = { ...row } as Partial<Record<string, unknown>>;
    const forAdmins = [
      "account",
      "account_id",
      "channel",
      "channel_id",
      "attempts",
      "trace_id",
      "cost_micros",
      "error_detail",
    ];
    for (const hidden of forAdmins) delete shown[hidden];
    expect(items).toEqual([shown as unknown as LogItem]);
  });

  test("N20 a video has a row when it is asked for, and one with its cost when it has ended", async () => {
    const body = { model: "videoB-2", prompt, seconds: "4" };
    const id = idOf(await create(gateway, body, { key: alice.key }));
    await reaches(gateway, id, "completed", alice.key);
    const [ended, asked] = await rowsOf(gateway, `request_id=${id}`, 2);
    expect(asked).toMatchObject({ kind: "request", task_id: id, micros: 0, ip: "127.0.0.1" });
    expect(asked?.request_id).toMatch(/^req_/);
    expect(ended).toMatchObject({
      request_id: id,
      kind: "task",
      task_id: id,
      key_id: alice.keyId,
      key_name: `key of ${alice.username}`,
      model: "videoB-2",
      status: 200,
      outcome: "ok",
      seconds: 4,
      micros: 400,
    });
    expect(ended?.channel_id).toMatch(/^chn_/);
    expect(ended?.time).toBeGreaterThanOrEqual(asked?.time ?? Infinity);
    const { items } = await ownLog(alice, `request_id=${id}`);
    expect(items.map(({ micros }) => micros)).toEqual([400, 0]);
    expect(JSON.stringify(items)).not.toContain("channel");
    expect((await ownLog(bob, `request_id=${id}`)).total).toBe(0);
  });

  test("N20 a video that failed has ended without a cost", async () => {
    const body = { model: "videoB-2", prompt: `${prompt} sandbox:fail`, seconds: "4" };
    const id = idOf(await create(gateway, body, { key: bob.key }));
    await reaches(gateway, id, "failed", bob.key);
    const [ended] = await rowsOf(gateway, `request_id=${id}`, 2);
    expect(ended).toMatchObject({ kind: "task", status: 500, outcome: "upstream_error" });
    expect(ended).toMatchObject({ micros: 0, seconds: 0, error_code: expect.any(String) });
  });
});

test.each(["{", "[]"])(
  "N20 what was admitted and refused for its body has a row, on every paid route and no other: %s",
  async (body) => {
    const person = await newPerson(gateway, 1_000_000);
    const send = (path: string, headers: Record<string, string> = {}) =>
      fetch(gateway.url + path, {
        method: "POST",
        headers: {
          authorization: `Bearer ${person.key}`,
          "content-type": "application/json",
          ...headers,
        },
        body,
      });
    // One that is asked for by its id is not found before its body is looked at.
    const posts = routes.filter(
      ({ policy, method, path }) => policy === "key" && method === "POST" && !path.includes("{id}"),
    );
    const paid = posts.filter((route) => route.policy === "key" && route.isPaid);
    const images = paid.filter(({ path }) => path.startsWith("/v1/images/"));
    const answers = await Promise.all([
      ...posts.map((route) => send(addressOf(route))),
      ...images.map((route) => send(addressOf(route), { "idempotency-key": "a key" })),
    ]);
    for (const { status } of answers) expect(status).toBe(400);
    const expected = [...paid, ...images].map(({ path }) => path).toSorted();
    const query = `key=${person.keyId}&page_size=100`;
    const rows = await rowsOf(gateway, query, expected.length);
    expect(rows.map((row) => Reflect.get(row, "route")).toSorted()).toEqual(expected);
    const refused = { status: 400, outcome: "rejected", error_code: "invalid_request" };
    for (const row of rows) expect(row).toMatchObject({ ...refused, micros: 0, task_id: null });
  },
);

describe("what is asked for", () => {
  const startMs = Date.UTC(2026, 0, 10);

  beforeAll(async () => {
    const rows = Array.from({ length: 30 }, (_, at) =>
      oldRow({
        id: `req_old-${at}`,
        // Three of each moment, so that pages end among rows of the same one.
        at_ms: startMs + Math.floor(at / 3) * (dayMs / 4),
        account_id: at % 2 === 0 ? alice.id : bob.id,
        key_id: at % 2 === 0 ? alice.keyId : bob.keyId,
        model: at % 5 === 0 ? "old-b" : "old-a",
        channel_id: at < 10 ? "chn_gone" : "chn_kept",
        status: at % 7 === 0 ? 503 : 200,
        outcome: at % 7 === 0 ? "upstream_error" : "ok",
      }),
    );
    await writeLog(gateway, rows);
  });

  const found = ({ items }: LogAnswer) =>
    items.map(({ request_id: id }) => Number(id.replace("req_old-", "")));
  const old = (at: (number: number) => boolean) =>
    Array.from({ length: 30 }, (_, number) => 29 - number).filter(at);
  const january = "from=2026-01-01&to=2026-02-01&page_size=100";

  test("N20 time, model, key, channel, status and account each find their rows", async () => {
    const cases: [string, (at: number) => boolean][] = [
      ["", () => true],
      ["&model=old-b", (at) => at % 5 === 0],
      [`&key=${bob.keyId}`, (at) => at % 2 === 1],
      ["&channel=chn_gone", (at) => at < 10],
      ["&status=503", (at) => at % 7 === 0],
      [`&account=${alice.username}`, (at) => at % 2 === 0],
      [`&account=${alice.username}&channel=chn_kept`, (at) => at % 2 === 0 && at >= 10],
      [`&key=${bob.keyId}&model=old-b&status=200`, (at) => at % 10 === 5 && at % 7 !== 0],
      ["&model=none", () => false],
    ];
    for (const [query, at] of cases) {
      const answer = await log(january + query);
      expect([query, found(answer), answer.total]).toEqual([query, old(at), old(at).length]);
      expect(answer).toMatchObject({ total_is_exact: true, next: null });
    }
    const day = startMs / 1000 + 86_400;
    const seconds = await log(`from=${day}&to=${day + 86_400}&page_size=100`);
    expect(found(seconds)).toEqual(old((at) => at >= 12 && at < 24));
    expect(found(await log("from=2026-01-11&to=2026-01-12&page_size=100"))).toEqual(found(seconds));
    expect(found(await log("request_id=req_old-4"))).toEqual([4]);
    const main = await log(`channel=main&key=${alice.keyId}`);
    expect(main.items.every(({ channel_id: id }) => id !== "chn_gone")).toBe(true);
  });

  test("N20 pages by number and by cursor show every row once", async () => {
    for (const filter of [
      january,
      `${january}&account=${alice.username}`,
      `${january}&status=200`,
    ]) {
      const whole = found(await log(filter));
      const byNumber: number[] = [];
      for (let page = 1; byNumber.length < whole.length; page++) {
        byNumber.push(...found(await log(`${filter}&page_size=4&p=${page}`)));
      }
      expect(byNumber).toEqual(whole);
      const byCursor: number[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const page: LogAnswer = await log(`${filter}&page_size=4&cursor=${cursor}`);
        byCursor.push(...found(page));
        cursor = page.next;
      }
      expect(byCursor).toEqual(whole);
    }
  });

  test("N20 what makes no sense is refused by its name", async () => {
    const wrong = {
      from: ["yesterday", "2026-02-30", "1.5"],
      to: ["2026-1-1", "-5"],
      status: ["x", "-1"],
      cursor: ["x", "1-", "-1-1"],
      p: ["0", "1000000"],
    };
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        const path = `/api/log?${name}=${value}`;
        expect([path, await refusedField(gateway, rootToken, path)]).toEqual([path, name]);
      }
    }
  });

  test("A9 nobody's own log leads to another's rows, whatever is asked for", async () => {
    const own = (await ownLog(alice, january)).items;
    expect(own.every(({ key_id: id }) => id === alice.keyId)).toBe(true);
    for (const trick of [`account=${bob.username}`, "channel=chn_gone"]) {
      const [name] = trick.split("=");
      expect(await refusedField(gateway, alice.token, `/api/log/self?${trick}`)).toBe(name);
    }
    const tricks = [
      `key=${bob.keyId}`,
      "request_id=req_old-1",
      `cursor=${startMs + 9 * dayMs}-9007199254740991`,
    ];
    for (const trick of tricks) {
      const answer = await ownLog(alice, `${january}&${trick}`);
      expect(answer.items.every(({ key_id: id }) => id === alice.keyId)).toBe(true);
    }
    expect((await ownLog(alice, `key=${bob.keyId}`)).total).toBe(0);
    expect((await ownLog(alice, "request_id=req_old-1")).total).toBe(0);
  });
});

test("N20 a log from before the sums is taken over with them", async () => {
  using folder = new Folder();
  keepOnFiles(folder.path);
  const nowMs = Date.now();
  const [first = []] = toVersions(usageLogMigrations);
  {
    using database = openDatabase(folder.path, "log.db");
    for (const statement of first) database.run(statement);
    database.run("pragma user_version = 1");
    const values = `'acc_1', 'key_1', 'laptop', 'default', '/v1/chat/completions', 'm', 'chn_1',
      'main', 200, 'ok', 0, 10, 20, 0, 0, 0, 0, 70, 5, null, 1, '::1', null`;
    database.run(`insert into usage_log values ('req_1', ${nowMs - dayMs}, ${values})`);
    database.run(`insert into usage_log values ('req_2', ${nowMs}, ${values})`);
  }
  await using old = await startGateway({ folder: folder.path, config: 'sandbox: "off"\n' });
  const listed = await old.control<LogAnswer>("GET", "/api/log");
  expect(listed.items.map(({ request_id: id }) => id)).toEqual(["req_2", "req_1"]);
  expect(listed.items[0]).toMatchObject({ kind: "request", images: 0, seconds: 0, task_id: null });
  const usage = await old.control<UsageAnswer>("GET", "/api/usage");
  expect(usage.items).toMatchObject(
    [nowMs, nowMs - dayMs].map((atMs) => ({
      day: formatDay(dayOf(atMs)),
      micros: 70,
      requests: 1,
    })),
  );
});
