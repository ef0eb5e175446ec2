// Knowledge of one of two gateways on one database holds on the other as well: keys, prices,
// channels and vendors' keys within a second, also where the notice is lost or nobody listens; and
// whatever a client or a person comes back with is known on either.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../../sandbox/server.ts";
import { chatBody } from "../harness/ask.ts";
import { eventually } from "../harness/books.ts";
import { Browser, password } from "../harness/browser.ts";
import { askPasskey, enrolApp, enrolPasskey } from "../harness/factors/sign-in.ts";
import { firstHalf, secondHalf } from "../harness/factors/sign-in.ts";
import type { Gateway } from "../harness/gateway.ts";
import { Pair } from "../harness/nodes/pair.ts";
import { Github } from "../harness/oauth/github.ts";
import { fetchCallback } from "../harness/oauth/visit.ts";
import { completion, Vendor } from "../harness/vendor.ts";

setDefaultTimeout(60_000);

/** Address of the balancer that people see. */
const origin = "https://gate.example";
const github = new Github();
const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
const price = { input_micros_per_million: 1, output_micros_per_million: 1 };
let vendor: Vendor;
let pair: Pair;

beforeAll(async () => {
  vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
  const config = `
server: { public_url: "${origin}" }
distribution: { retry_budget_percent: 100 }
accounts: { registration: open }
oauth:
  providers:
    - ${github.config("github", "github")}
channels:
  - name: keeper
    type: openai
    format: responses
    base_url: ${sandbox.url}/openai
    keys: [sk-kept-1001, sk-kept-1002, sk-kept-1003]
    models: [kept]
    allow_private: true
prices:
  - { model: kept, call_micros: 1 }
`;
  pair = await Pair.start({ config });
});

afterAll(async () => {
  await pair[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
  await sandbox.close();
  github[Symbol.dispose]();
});

async function statusAt(node: Gateway, key: string, model: string): Promise<number> {
  const response = await node.post("/v1/chat/completions", chatBody(model), key);
  await response.text();
  return response.status;
}

const until = (what: string, isSo: () => Promise<boolean>) =>
  eventually(what, async () => ((await isSo()) ? true : undefined));

/**
 * End the listeners like an operator who ends what seems to hang: the nodes listen anew by
 * themselves.
 */
async function cutListeners(): Promise<void> {
  await pair.rows(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen%'`);
}

describe.each(["notices", "no notices", "listeners that were cut off"])("with %s", (words) => {
  const model = `m-${words.length}`;

  beforeAll(async () => {
    pair.wire.isDeaf = words === "no notices";
    await pair.one.control("POST", "/api/price", { model, ...price });
  });

  afterAll(() => {
    pair.wire.isDeaf = false;
  });

  const disturb = async () => {
    if (words === "listeners that were cut off") await cutListeners();
  };

  test("a channel, a price and a key hold on the other node", async () => {
    const { one, other } = pair;
    const channel = vendor.channel({ name: model, models: [model] });
    await disturb();
    const { id } = await one.control<{ id: string }>("POST", "/api/channel", channel);
    const payer = await pair.customer(1_000_000);
    await until("the channel", async () => (await statusAt(other, payer.key, model)) === 200);
    await disturb();
    const dear = { input_micros_per_million: 1_000_000_000_000 };
    await other.control("POST", "/api/price", { model, ...price, ...dear });
    await until("the price", async () => (await statusAt(one, payer.key, model)) === 402);
    await disturb();
    await one.control("DELETE", `/api/token/${payer.keyId}`);
    await until(
      "the end of the key",
      async () => (await statusAt(other, payer.key, model)) === 401,
    );
    await other.control("POST", "/api/price", { model, ...price });
    await disturb();
    await other.control("DELETE", `/api/channel/${id}`);
    const rich = await pair.customer(1_000_000);
    await until("its end", async () => (await statusAt(one, rich.key, model)) === 503);
  });

  test("a virtual model holds on the other node, as it is changed and removed", async () => {
    const { one, other } = pair;
    const [first, second, name] = [`first-${model}`, `second-${model}`, `any-${model}`];
    for (const member of [first, second]) {
      await one.control("POST", "/api/price", { model: member, ...price });
      await one.control("POST", "/api/channel", vendor.channel({ name: member, models: [member] }));
    }
    const { key } = await pair.customer(1_000_000);
    const servedAt = async (node: Gateway) => {
      const response = await node.post("/v1/chat/completions", chatBody(name), key);
      await response.text();
      return response.headers.get("x-sluice-model") ?? response.status;
    };
    await disturb();
    const write = (node: Gateway, member: string) =>
      node.control("POST", "/api/virtual-model", { name, members: [{ model: member }] });
    await write(one, first);
    await until("the name", async () => (await servedAt(other)) === first);
    await disturb();
    await write(other, second);
    await until("its other member", async () => (await servedAt(one)) === second);
    await disturb();
    await one.control("DELETE", `/api/virtual-model?name=${name}`);
    await until("its end", async () => (await servedAt(other)) === 503);
  });

  test("a vendor's key that one node saw refused is used by neither", async () => {
    const { one, other } = pair;
    const dead = `dead-${words.length}`;
    const keys = [`${dead}-key-0001`, "good-key-0002"];
    const channel = vendor.channel({ name: dead, models: [dead], keys, key: undefined });
    await one.control("POST", "/api/price", { model: dead, ...price });
    const { id } = await one.control<{ id: string }>("POST", "/api/channel", channel);
    const { key } = await pair.customer(1_000_000);
    await until("the channel", async () => (await statusAt(other, key, dead)) === 200);
    vendor.script = ({ headers }, reply) => {
      if (headers["authorization"] === `Bearer ${keys[0]}`) {
        reply.json({ error: { message: "Incorrect API key.", type: "x" } }, 401);
      } else reply.json(completion("Yes."));
    };
    await disturb();
    const tried = () =>
      vendor.requests.filter(({ headers }) => headers["authorization"] === `Bearer ${keys[0]}`);
    const before = tried().length;
    await until("the refusal", async () => {
      expect(await statusAt(one, key, dead)).toBe(200);
      return tried().length > before;
    });
    await until("word of it", async () => {
      const { keys: shown } = await other.control<{ keys: { status: string }[] }>(
        "GET",
        `/api/channel/${id}`,
      );
      return shown[0]?.status === "disabled";
    });
    // The row is there; within a second it is known to whoever chooses keys as well.
    let served = 0;
    await until("requests that pass it over", async () => {
      const seen = tried().length;
      expect(await statusAt(other, key, dead)).toBe(200);
      served = tried().length === seen ? served + 1 : 0;
      return served === 12;
    });
    vendor.script = (_request, reply) => reply.json(completion("Yes."));
  });
});

test("a channel's rates are halved between two nodes, and changed on both", async () => {
  const model = "rated";
  const { one, other } = pair;
  for (const node of [one, other]) {
    await until("both nodes", async () => {
      const { limits } = await node.control<{ limits: { nodes: number } }>("GET", "/api/status");
      return limits.nodes === 2;
    });
  }
  await one.control("POST", "/api/price", { model, ...price });
  const channel = vendor.channel({ name: model, models: [model], requests_per_minute: 4 });
  const { id } = await one.control<{ id: string }>("POST", "/api/channel", channel);
  const { key } = await pair.customer(1_000_000);
  for (const node of [one, other]) {
    await until("the channel", async () => (await statusAt(node, key, model)) === 200);
    expect(await statusAt(node, key, model)).toBe(200);
    expect(await statusAt(node, key, model)).toBe(429);
  }
  await other.control("PATCH", `/api/channel/${id}`, { requests_per_minute: null });
  for (const node of [one, other]) {
    await until("no rate", async () => (await statusAt(node, key, model)) === 200);
  }
});

const open = (at: Gateway) => new Browser(at.url, { origin });

/** The same person at the other node, as behind a balancer. */
function move(browser: Browser, to: Gateway): Browser {
  const next = open(to);
  for (const [name, value] of browser.cookies) next.cookies.set(name, value);
  return next;
}

const newName = () => `person-${crypto.randomUUID().slice(0, 8)}`;

describe("what was begun on one node goes on on the other", () => {
  test("a session, until it is ended", async () => {
    const { one, other } = pair;
    const username = newName();
    const here = open(one);
    await here.ask("POST", "/api/user/register", { username, password });
    await here.ask("POST", "/api/user/login", { username, password });
    const there = move(here, other);
    expect(await there.ask("GET", "/api/user/self")).toMatchObject({ username });
    expect(await there.call("POST", "/api/user/logout")).toMatchObject({ success: true });
    expect(await here.call("GET", "/api/user/self")).toMatchObject({ success: false });
  });

  test("a sign-in with a code", async () => {
    const { one, other } = pair;
    const username = newName();
    const here = open(one);
    await here.ask("POST", "/api/user/register", { username, password });
    await here.ask("POST", "/api/user/login", { username, password });
    const { app } = await enrolApp(here);
    const begun = open(one);
    const { ticket } = await firstHalf(begun, username);
    const proof = { ticket, code: app.next() };
    const signed = move(begun, other);
    // Its own clock would know no code of this day.
    expect(await secondHalf(signed, proof)).toMatchObject({ success: true });
    expect(await move(signed, one).ask("GET", "/api/user/self")).toMatchObject({ username });
    // Neither the ticket nor the code is good twice, on whichever node.
    expect(await secondHalf(begun, proof)).toMatchObject({ success: false });
  });

  test("a sign-in with a passkey", async () => {
    const { one, other } = pair;
    const username = newName();
    const here = open(one);
    await here.ask("POST", "/api/user/register", { username, password });
    await here.ask("POST", "/api/user/login", { username, password });
    const { device } = await enrolPasskey(move(here, other), origin);
    const begun = open(one);
    const { ticket, passkey } = await askPasskey(begun);
    const proof = { ticket, passkey: device.get(passkey) };
    expect(await secondHalf(move(begun, other), proof)).toMatchObject({ success: true });
    expect(await secondHalf(begun, proof)).toMatchObject({ success: false });
  });

  test("a sign-in at a provider, once", async () => {
    const { one, other } = pair;
    github.user = { id: 4711, login: "walker", name: "Walker", email: null };
    const begun = open(one);
    const callback = await fetchCallback(begun, "github");
    const ended = move(begun, other);
    expect(await ended.call("GET", callback)).toMatchObject({ success: true });
    expect(await move(ended, one).ask("GET", "/api/user/self")).toMatchObject({
      username: "walker",
    });
    expect(await move(begun, one).call("GET", callback)).toMatchObject({ success: false });
  });

  test("the usage log, in the database's time whatever the machine's is", async () => {
    const response = await pair.other.post("/v1/responses", { model: "kept", input: "Hello." });
    await response.text();
    const id = response.headers.get("x-request-id") ?? "";
    const [row] = await pair.rows(`select abs(at_ms - extract(epoch from now()) * 1000) < 600000
      as is_now from usage_log where id = '${id}'`);
    expect(row?.["is_now"]).toBeTruthy();
  });

  test("a conversation that a vendor keeps, with the key that began it", async () => {
    const respond = async (node: Gateway, fields: object) => {
      const response = await node.post("/v1/responses", { model: "kept", ...fields });
      const { id } = (await response.json()) as { id: string };
      return { status: response.status, id };
    };
    let last = await respond(pair.one, { input: "I live in town." });
    for (let turn = 0; turn < 8; turn++) {
      const node = turn % 2 === 0 ? pair.other : pair.one;
      last = await respond(node, { input: "Go on.", previous_response_id: last.id });
      expect([turn, last.status]).toEqual([turn, 200]);
    }
  });

  test("guesses at a password, of which all nodes together allow about as many as one", async () => {
    const { one, other } = pair;
    const username = newName();
    await open(one).ask("POST", "/api/user/register", { username, password });
    for (const node of [one, other]) {
      await eventually("a node that counts both", async () => {
        const metrics = await (await fetch(`${node.url}/metrics`)).text();
        return metrics.includes("sluice_nodes_live 2") || undefined;
      });
    }
    // All at once: whoever waits a while may guess once more.
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        open(turn % 2 === 0 ? one : other).call("POST", "/api/user/login", {
          username,
          password: "wrong one",
        }),
      ),
    );
    const guesses = answers.filter(({ code }) => code !== "rate_limit_exceeded").length;
    // Five are free, shared out in whole ones, and each node tells of the wait with one more.
    expect(guesses).toBeLessThanOrEqual(8);
    expect(guesses).toBeGreaterThanOrEqual(5);
  });
});
