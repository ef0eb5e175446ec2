// Conversations stay where their prompt caches are, and leave at once what cannot serve them. The
// words in brackets name complaints about other gateways, by their project and number.
import { describe, expect, test } from "bun:test";
import { tally } from "../harness/ask.ts";
import { CachingVendor } from "../harness/affinity/caching-vendor.ts";
import { eventually } from "../harness/books.ts";
import { rootKey, startGateway } from "../harness/gateway.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";

const config = `
sandbox: "off"
distribution: { failures_to_eject: 3, ejection_ms: 60000, ejection_ms_max: 60000 }
`;

const gateway = useStand(() => startGateway({ config, oneProcess: "judgement" }));
const vendor = kept(new CachingVendor());

let count = 0;

interface Stand {
  model: string;
  /** Ids of the channels. */
  ids: string[];
  /** Keys of each channel. */
  keys: string[][];
}

/** Channels of a model of their own, three keys each. */
async function stand(channels: readonly object[], price: object = cheapReads): Promise<Stand> {
  const model = `talk-${++count}`;
  const made: Stand = { model, ids: [], keys: [] };
  await gateway.control("POST", "/api/price", { model, ...price });
  for (const [at, fields] of channels.entries()) {
    const keys = [1, 2, 3].map((number) => `sk-${model}-${at}-${number}-0123456789`);
    const body = vendor.channel({ name: `${model}-${at}`, models: [model], keys, ...fields });
    made.ids.push((await gateway.control<{ id: string }>("POST", "/api/channel", body)).id);
    made.keys.push(keys);
  }
  return made;
}

const cheapReads = {
  input_micros_per_million: 1_000_000,
  output_micros_per_million: 2_000_000,
  cache_read_micros_per_million: 100_000,
};

interface Turn {
  headers?: Record<string, string>;
  body?: object;
  path?: string;
  key?: string;
}

/** The key by which it was served, and how it says that was chosen. */
async function say(model: string, turn: Turn = {}): Promise<{ key: string; by: string | null }> {
  const { headers = {}, body = {}, path = "/v1/chat/completions", key = rootKey } = turn;
  const response = await fetch(gateway.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello." }], ...body }),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  const served = vendor.served.at(-1)?.key ?? "";
  return { key: served, by: await placedBy(response) };
}

async function placedBy(response: Response): Promise<string | null> {
  const id = response.headers.get("x-request-id") ?? "";
  return await eventually(`the trace of ${id}`, async () => {
    const { items } = await gateway.control<{ items: { trace: { affinity: string | null } }[] }>(
      "GET",
      `/api/log/${id}`,
    );
    return items[0]?.trace.affinity;
  });
}

function session(name: string): Turn {
  return { headers: { "x-session-id": name } };
}

/** So many keys as answered, over a number of turns. */
async function keysOf(model: string, turn: Turn, turns: number = 6): Promise<Set<string>> {
  const keys = new Set<string>();
  for (let at = 0; at < turns; at++) keys.add((await say(model, turn)).key);
  return keys;
}

const long = "An opening that a vendor would keep. ".repeat(150);

describe("a conversation is recognised", () => {
  const named: [string, Turn][] = [
    ["x-session-id", session("one")],
    ["x-claude-code-session-id", { headers: { "x-claude-code-session-id": "one" } }],
    ["session-id", { headers: { "session-id": "one" } }],
    ["session_id", { headers: { session_id: "one" } }],
    ["thread-id", { headers: { "thread-id": "one" } }],
    ["x-session-affinity", { headers: { "x-session-affinity": "one" } }],
    ["prompt_cache_key", { body: { prompt_cache_key: "one" } }],
    [
      "metadata.user_id",
      { path: "/v1/messages", body: { max_tokens: 9, metadata: { user_id: "one" } } },
    ],
  ];

  test.each(named)("D6 by %s", async (_name, turn) => {
    const { model } = await stand([{}, {}]);
    expect(await keysOf(model, turn)).toHaveProperty("size", 1);
  });

  test("D6 by its opening, where the body is long", async () => {
    const { model } = await stand([{}, {}]);
    const system = { role: "system", content: long };
    const first = { role: "user", content: "Begin." };
    const keys = new Set<string>();
    const messages: object[] = [system, first];
    for (let at = 0; at < 6; at++) {
      keys.add((await say(model, { body: { messages } })).key);
      messages.push({ role: "assistant", content: "Yes." }, { role: "user", content: `${at}` });
    }
    expect(keys.size).toBe(1);
    const others = new Set<string>();
    for (let at = 0; at < 12; at++) {
      const other = [system, { role: "user", content: `Begin ${at}.` }];
      others.add((await say(model, { body: { messages: other } })).key);
    }
    expect(others.size).toBeGreaterThan(2);
  });

  test("D6 not where it is short and names nothing: keys take turns as ever", async () => {
    const { model, keys } = await stand([{}]);
    const served = tally(await Promise.all(Array.from({ length: 9 }, async () => say(model))));
    expect([...served.keys()].every(({ by }) => by === null)).toBe(true);
    const used = tally(vendor.served.slice(-9).map(({ key }) => key));
    expect(used).toEqual(new Map((keys[0] ?? []).map((key) => [key, 3])));
  });

  test("D6 not where a cache read costs as much as input", async () => {
    const flat = { input_micros_per_million: 1_000_000, output_micros_per_million: 2_000_000 };
    const { model } = await stand([{}], flat);
    expect((await say(model, session("flat"))).by).toBeNull();
    expect(await keysOf(model, session("flat"))).toHaveProperty("size", 3);
  });
});

describe("a conversation moves at once", () => {
  test("D6 off a channel that was disabled (na#2953)", async () => {
    const { model, ids, keys } = await stand([{}, {}]);
    const { key } = await say(model, session("a"));
    const at = keys.findIndex((own) => own.includes(key));
    await gateway.control("PATCH", `/api/channel/${ids[at]}`, { status: "disabled" });
    const moved = await say(model, session("a"));
    expect(keys[1 - at]).toContain(moved.key);
    expect(moved.by).toBe("moved: disabled");
    expect(await say(model, session("a"))).toEqual({ key: moved.key, by: "pinned" });
  });

  test("D6 off a channel that fails, and does not begin there again (na#4717)", async () => {
    const { model, keys } = await stand([{}, {}]);
    const { key } = await say(model, session("a"));
    const at = keys.findIndex((own) => own.includes(key));
    for (const own of keys[at] ?? []) vendor.moods.set(own, "failing");
    const before = vendor.vendor.requests.length;
    const moved = await say(model, session("a"));
    expect(keys[1 - at]).toContain(moved.key);
    expect(moved.by).toBe("moved: failed");
    for (let turn = 0; turn < 5; turn++) {
      expect(await say(model, session("a"))).toEqual({ key: moved.key, by: "pinned" });
    }
    // One attempt failed, once.
    expect(vendor.vendor.requests.length - before).toBe(7);
  });

  test("D6 off a key that is told to wait (na#3455)", async () => {
    const { model, keys } = await stand([{}, {}]);
    const { key } = await say(model, session("a"));
    const at = keys.findIndex((own) => own.includes(key));
    vendor.moods.set(key, "busy");
    const moved = await say(model, session("a"));
    expect(keys[1 - at]).toContain(moved.key);
    expect(moved.by).toBe("moved: rests");
    expect(await say(model, session("a"))).toEqual({ key: moved.key, by: "pinned" });
  });

  test("D6 to a sibling of a key that rests, where that is all there is", async () => {
    const { model } = await stand([{}]);
    const { key } = await say(model, session("a"));
    vendor.moods.set(key, "busy");
    const busy = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${rootKey}`, ...session("a").headers },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello." }] }),
    });
    expect([busy.status, await busy.text()]).toEqual([429, expect.any(String)]);
    const moved = await say(model, session("a"));
    expect(moved.key).not.toBe(key);
    expect(moved.by).toBe("moved: rests");
  });

  test("D6 off a key that is refused for good (na#4331)", async () => {
    const { model } = await stand([{}]);
    const { key } = await say(model, session("a"));
    vendor.moods.set(key, "refusing");
    const moved = await say(model, session("a"));
    expect(moved.key).not.toBe(key);
    expect(moved.by).toBe("moved: disabled");
  });

  test("D6 up to a better channel that is back (na#6021)", async () => {
    const { model, ids, keys } = await stand([{ priority: 9 }, { priority: 1 }]);
    const first = await say(model, session("a"));
    expect(keys[0]).toContain(first.key);
    await gateway.control("PATCH", `/api/channel/${ids[0]}`, { status: "disabled" });
    const lower = await say(model, session("a"));
    expect(keys[1]).toContain(lower.key);
    expect(await say(model, session("a"))).toEqual({ key: lower.key, by: "pinned" });
    await gateway.control("PATCH", `/api/channel/${ids[0]}`, { status: "enabled" });
    expect(await say(model, session("a"))).toEqual({ key: first.key, by: "moved: tier" });
    expect(await say(model, session("a"))).toEqual({ key: first.key, by: "pinned" });
  });

  test("D6 and comes back to a channel that is full only for now", async () => {
    const { model, ids, keys } = await stand([{}, {}]);
    const first = await say(model, session("a"));
    const at = keys.findIndex((own) => own.includes(first.key));
    const came = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const { script } = vendor.vendor;
    await gateway.control("PATCH", `/api/channel/${ids[at]}`, { concurrency: 1 });
    vendor.vendor.script = async (request, reply) => {
      came.resolve();
      await go.promise;
      await script(request, reply);
    };
    const waiting = say(model, session("a"));
    await came.promise;
    vendor.vendor.script = script;
    const second = await say(model, session("a"));
    expect(keys[1 - at]).toContain(second.key);
    expect(second.by).toBe("moved: full");
    go.resolve();
    await waiting;
    expect(await say(model, session("a"))).toEqual({ key: first.key, by: "pinned" });
  });
});

describe("a conversation stays", () => {
  test("D6 on one key of a channel, not on the channel alone (na#5992)", async () => {
    const { model } = await stand([{}]);
    for (const name of ["a", "b", "c", "d"]) {
      expect(await keysOf(model, session(name))).toHaveProperty("size", 1);
    }
  });

  test("D6 on the messages route as on all others (ll#19226)", async () => {
    const { model } = await stand([{ type: "anthropic" }, { type: "anthropic" }]);
    const system = [
      { type: "text", text: "x-anthropic-billing-header: cc_version=1; cch=0;" },
      { type: "text", text: long, cache_control: { type: "ephemeral" } },
    ];
    const turn: Turn = { path: "/v1/messages", body: { max_tokens: 9, system } };
    expect(await keysOf(model, turn)).toHaveProperty("size", 1);
  });

  test("D6 apart from that of another account with the same id (llPR36146)", async () => {
    const { model, ids, keys } = await stand([{}, {}]);
    const people = await Promise.all([1, 2].map(() => gateway.customer(1_000_000)));
    const [one, other] = people.map(({ key }): Turn => ({ ...session("same"), key }));
    const first = await say(model, one);
    const at = keys.findIndex((own) => own.includes(first.key));
    await gateway.control("PATCH", `/api/channel/${ids[at]}`, { status: "disabled" });
    expect((await say(model, one)).by).toBe("moved: disabled");
    // Nothing is known of the other's, although it has the same name.
    expect((await say(model, other)).by).toBe("ranked");
  });

  test("D6 while all of them are spread by weight (ll#38078)", async () => {
    const { model, keys } = await stand([{ weight: 1 }, { weight: 3 }]);
    const conversations = 240;
    const served: string[] = [];
    for (let at = 0; at < conversations; at++) {
      const [first, again] = [await ask(model, `s-${at}`), await ask(model, `s-${at}`)];
      expect(again).toBe(first);
      served.push(first);
    }
    const light = served.filter((key) => keys[0]?.includes(key)).length;
    // A quarter is 60; five standard deviations are 34.
    expect(light).toBeGreaterThan(26);
    expect(light).toBeLessThan(94);
    expect(new Set(served).size).toBe(6);
  });

  async function ask(model: string, name: string): Promise<string> {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${rootKey}`,
        "content-type": "application/json",
        "x-session-id": name,
      },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello." }] }),
    });
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    return vendor.served.at(-1)?.key ?? "";
  }
});

describe("affinity is told", () => {
  test("D6 in a metric by what came of it, without any id", async () => {
    const { model } = await stand([{}]);
    await say(model, session("secret-session-name"));
    await say(model, session("secret-session-name"));
    const metrics = await gateway.metrics();
    expect(metrics).toMatch(/^sluice_affinity_total\{result="ranked"\} [1-9]/m);
    expect(metrics).toMatch(/^sluice_affinity_total\{result="pinned"\} [1-9]/m);
    expect(metrics + gateway.output).not.toContain("secret-session-name");
    expect(JSON.stringify(vendor.served.at(-1)?.request.headers)).not.toContain("secret-session");
  });

  test("D6 also of a request that names its channel", async () => {
    const { model, ids, keys } = await stand([{}, {}]);
    const headers = { "x-session-id": "named", "x-sluice-channel": ids[1] ?? "" };
    const first = await say(model, { headers });
    expect(keys[1]).toContain(first.key);
    expect(first.by).toBe("ranked");
    expect(await say(model, { headers })).toEqual({ key: first.key, by: "pinned" });
  });

  test("D6 and is off for a channel whose keys share one cache", async () => {
    const { model, ids } = await stand([{ affinity: false }]);
    expect((await say(model, session("a"))).by).toBeNull();
    expect(await keysOf(model, session("a"))).toHaveProperty("size", 3);
    await gateway.control("PATCH", `/api/channel/${ids[0]}`, { affinity: true });
    expect(await keysOf(model, session("a"))).toHaveProperty("size", 1);
  });

  test("D6 and is off as a whole where the configuration says so", async () => {
    const off = "sandbox: 'off'\nunpriced: free\ndistribution: { affinity: false }\n";
    await using other = await startGateway({ config: off, oneProcess: "judgement" });
    const keys = [1, 2, 3].map((number) => `sk-off-${number}-0123456789`);
    const body = vendor.channel({ name: "off", models: ["off"], keys });
    await other.control("POST", "/api/channel", body);
    await other.control("POST", "/api/price", { model: "off", ...cheapReads });
    for (let at = 0; at < 6; at++) {
      const said = {
        model: "off",
        prompt_cache_key: "a",
        messages: [{ role: "user", content: "" }],
      };
      expect((await other.post("/v1/chat/completions", said)).status).toBe(200);
    }
    expect(new Set(vendor.served.slice(-6).map(({ key }) => key)).size).toBe(3);
  });
});
