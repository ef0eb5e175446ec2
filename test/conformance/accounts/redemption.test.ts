// Codes that are worth credit, each once.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { expire } from "../../harness/accounts/expiry.ts";
import { tally } from "../../harness/ask.ts";
import { Browser, password, untilSlowed, type Answered } from "../../harness/browser.ts";
import { runCommand } from "../../harness/command.ts";
import { Folder } from "../../harness/folder.ts";
import { startGateway, startProcess, type Gateway } from "../../harness/gateway.ts";
import { assertUp, filesWith, visible } from "../../hazards/observe.ts";

setDefaultTimeout(60_000);

interface Code {
  id: string;
  code: string;
  shown: string;
  status: string;
  micros: number;
  redeemed_by: string | null;
}

interface Person {
  id: string;
  username: string;
  at: Browser;
}

const config = `
sandbox: "off"
server: { public_url: "https://gate.example", trust_proxy: true }
`;
let gateway: Gateway;
let addresses = 0;

beforeAll(async () => {
  gateway = await startGateway({ config });
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
});

async function newPerson(on: Gateway = gateway): Promise<Person> {
  const username = `user-${crypto.randomUUID().slice(0, 8)}`;
  const { id } = await on.control<{ id: string }>("POST", "/api/user", { username, password });
  const headers = { "x-forwarded-for": `203.0.113.${++addresses}` };
  const at = new Browser(on.url, { origin: "https://gate.example", headers });
  return { id, username, at: await at.signIn(username) };
}

async function newCodes(fields: object = {}, on: Gateway = gateway): Promise<Code[]> {
  const body = { name: "spring", micros: 1000, ...fields };
  return (await on.control<{ items: Code[] }>("POST", "/api/redemption", body)).items;
}

async function newCode(fields: object = {}): Promise<Code> {
  const [code] = await newCodes(fields);
  if (!code) throw new Error("no code was made");
  return code;
}

function redeem({ at }: Person, code: string): Promise<Answered> {
  return at.call("POST", "/api/redemption/redeem", { code });
}

async function quotaOf({ id }: Person, on: Gateway = gateway): Promise<number> {
  return (await on.control<{ quota_micros: number }>("GET", `/api/user/${id}`)).quota_micros;
}

async function listed(): Promise<Code[]> {
  const { items } = await gateway.control<{ items: Code[] }>(
    "GET",
    "/api/redemption?page_size=100",
  );
  return items;
}

describe("codes", () => {
  test("N10 are made by an admin, shown once, and listed without their texts", async () => {
    const expires_at = Math.floor(Date.now() / 1000) + 3600;
    const codes = await newCodes({ name: "batch", count: 3, micros: 5_000_000, expires_at });
    expect(codes).toHaveLength(3);
    expect(new Set(codes.map(({ code }) => code)).size).toBe(3);
    const [first] = codes;
    expect(first).toMatchObject({ name: "batch", micros: 5_000_000, status: "open", expires_at });
    const all = await listed();
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(codes.map(({ id }) => id)));
    for (const { code, shown } of codes) {
      expect(code).toStartWith(shown.slice(0, 5));
      expect(JSON.stringify(all)).not.toContain(code);
      expect(await filesWith(gateway.folder, code)).toEqual([]);
      expect(await filesWith(gateway.folder, code.replaceAll("-", ""))).toEqual([]);
    }
  });

  test("N10 give their credit to who redeems them, and the books say so", async () => {
    const person = await newPerson();
    const { id, code } = await newCode();
    const spelt = ` ${code.toLowerCase().replaceAll("-", " ")} `;
    expect(await redeem(person, spelt)).toMatchObject({
      success: true,
      data: { micros: 1000, quota_micros: 1000 },
    });
    expect(await quotaOf(person)).toBe(1000);
    const redeemed = (await listed()).find((one) => one.id === id);
    expect(redeemed).toMatchObject({ status: "redeemed", redeemed_by: person.username });
    const { items } = await gateway.control<{ items: object[] }>(
      "GET",
      `/api/audit?target_id=${id}`,
    );
    expect(items[0]).toMatchObject({
      action: "redemption.redeem",
      actor: person.username,
      carrier: "session",
      changes: { account: person.id, micros: 1000 },
    });
  });

  test("N10 can be taken back before they are redeemed, and not after", async () => {
    const person = await newPerson();
    const [open, used] = await newCodes({ count: 2 });
    await redeem(person, used?.code ?? "");
    const remove = (id = "") => gateway.controlEnvelope("DELETE", `/api/redemption/${id}`);
    expect(await remove(open?.id)).toMatchObject({ success: true });
    expect(await remove(used?.id)).toMatchObject({ success: false, code: "conflict" });
    expect(await remove(open?.id)).toMatchObject({ success: false, code: "not_found" });
    expect(await redeem(person, open?.code ?? "")).toMatchObject({ success: false });
    expect(await quotaOf(person)).toBe(1000);
  });

  test("N10 are made in bounds", async () => {
    const wrong: [object, string][] = [
      [{ micros: 0 }, "micros"],
      [{ micros: 1.5 }, "micros"],
      [{ micros: 1e18 }, "micros"],
      [{ count: 0 }, "count"],
      [{ count: 1001 }, "count"],
      [{ name: "" }, "name"],
      [{ code: "mine" }, "code"],
    ];
    for (const [fields, param] of wrong) {
      const body = { name: "x", micros: 1, ...fields };
      const answer = await gateway.controlEnvelope("POST", "/api/redemption", body);
      expect(answer).toMatchObject({ success: false, code: "invalid_request", param });
    }
  });
});

describe("redeeming", () => {
  test("hazard B1 many at once, by one and by many, credit a code once", async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => newPerson()));
    const { code } = await newCode();
    const tries = Array.from({ length: 5 }, () => people.map((person) => redeem(person, code)));
    const answers = await Promise.all(tries.flat());
    expect(tally(answers.map(({ success }) => success)).get(true)).toBe(1);
    const quotas = await Promise.all(people.map((person) => quotaOf(person)));
    expect(quotas.toSorted()).toEqual([0, 0, 0, 1000]);
  });

  test("hazard F17 an unknown, a used, an expired and a removed code are told alike", async () => {
    const [used, expired, removed] = await Promise.all([
      newCode(),
      newCode({ expires_at: "2096-01-01T00:00:00Z" }),
      newCode(),
    ]);
    await expire(gateway, "redemption", expired.id);
    await redeem(await newPerson(), used.code);
    await gateway.control("DELETE", `/api/redemption/${removed.id}`);
    const answers = new Set<string>();
    const texts = [
      used.code,
      expired.code,
      removed.code,
      "AAAAA-AAAAA-AAAAA-AAAAA-AAAAA",
      "!",
      "x",
    ];
    for (const code of texts) {
      const { at } = await newPerson();
      answers.add(await visible(await at.send("POST", "/api/redemption/redeem", { code })));
    }
    expect(answers.size).toBe(1);
    expect([...answers].join()).toContain('"param":"code"');
  });

  test("hazard F17 guessing is slowed, all at once or in a row, and a right code is no guess", async () => {
    const guesser = await newPerson();
    const guess = () => redeem(guesser, "AAAAA-AAAAA-AAAAA-AAAAA-AAAAA");
    const { code } = await newCode();
    const tries = Array.from({ length: 20 }, guess);
    await untilSlowed(tries, gateway.nodeUrls.length);
    expect(await redeem(guesser, code)).toMatchObject({ code: "rate_limit_exceeded" });
    const counts = tally((await Promise.all(tries)).map((answer) => answer.code));
    expect(counts.get("invalid_request")).toBeLessThanOrEqual(8);
    expect(counts.get("rate_limit_exceeded")).toBeGreaterThanOrEqual(12);
    const honest = await newPerson();
    for (const right of await newCodes({ count: 12 })) {
      expect(await redeem(honest, right.code)).toMatchObject({ success: true });
    }
    expect(await redeem(await newPerson(), code)).toMatchObject({ success: true });
  });
});

test("fault F1 a gateway killed while codes are redeemed credits each once or not at all", async () => {
  using folder = new Folder();
  const options = { folder: folder.path, config: 'sandbox: "off"\nlog: { level: error }\n' };
  const worth = 1000;
  const lanes = 4;
  let codes: Code[] = [];
  let token = "";
  let accountId = "";
  const confirmed = new Set<string>();
  async function run(on: Gateway, own: readonly Code[], killAfterMs: number): Promise<void> {
    const answered = Promise.withResolvers<void>();
    const lane = async (from: number) => {
      for (let at = from; at < own.length; at += lanes) {
        const { code = "", id = "" } = own[at] ?? {};
        const answer = await on.controlEnvelope("POST", "/api/redemption/redeem", { code }, token);
        if (answer.success) confirmed.add(id);
        answered.resolve();
      }
    };
    // That the gateway dies under them is what they are for.
    const all = Promise.allSettled(Array.from({ length: lanes }, (_, from) => lane(from)));
    await answered.promise;
    await Promise.race([all, Bun.sleep(killAfterMs)]);
    await on.kill();
    await all;
  }
  for (let round = 0; round < 4; round++) {
    await using on = await startProcess(options);
    if (round === 0) {
      codes = await newCodes({ micros: worth, count: 400 }, on);
      const body = { username: "lucky", password };
      ({ id: accountId } = await on.control<{ id: string }>("POST", "/api/user", body));
      const path = `/api/user/${accountId}/token`;
      ({ token } = await on.control<{ token: string }>("POST", path, {}));
    }
    await run(on, codes.slice(round * 100), 40 + round * 30);
  }
  await using last = await startGateway(options);
  const { items: used } = await last.control<{ items: { target_id: string }[] }>(
    "GET",
    "/api/audit?action=redemption.redeem&page_size=100",
  );
  const open = async (page: number) =>
    (await last.control<{ items: Code[] }>("GET", `/api/redemption?page_size=100&p=${page}`)).items;
  const all = (await Promise.all([1, 2, 3, 4].map(open))).flat();
  const redeemed = all.filter(({ status }) => status === "redeemed").map(({ id }) => id);
  expect(all).toHaveLength(400);
  // Clients told so have it, every use is one credit, and each has its entry.
  expect([...confirmed].filter((id) => !redeemed.includes(id))).toEqual([]);
  expect(confirmed.size).toBeGreaterThan(0);
  const { quota_micros } = await last.control<{ quota_micros: number }>(
    "GET",
    `/api/user/${accountId}`,
  );
  expect(quota_micros).toBe(redeemed.length * worth);
  const noted = used.map(({ target_id }) => target_id);
  expect(noted.filter((id) => !redeemed.includes(id))).toEqual([]);
  expect(new Set(noted).size).toBe(noted.length);
  // Also those whose redeemer was never told.
  const spent = codes.filter(({ id }) => redeemed.includes(id));
  const untold = spent.filter(({ id }) => !confirmed.has(id));
  for (const { code } of [...untold, ...spent].slice(0, 4)) {
    const again = await last.controlEnvelope("POST", "/api/redemption/redeem", { code }, token);
    expect(again).toMatchObject({ success: false, code: "conflict", param: "code" });
  }
  await last.stop();
  const verified = await runCommand({ folder: folder.path }, "ledger", "verify");
  expect([verified.code, verified.error]).toEqual([0, ""]);
});
