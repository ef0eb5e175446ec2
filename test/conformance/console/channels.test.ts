// Needs of pages that run channels: how they do, one of them named by a request, drafts tried out,
// many changed at once.
import { beforeAll, expect, test } from "bun:test";
import { newPerson } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { rootKey, rootToken, startGateway } from "../../harness/gateway.ts";
import { complete, completion, Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

interface Channel {
  id: string;
  name: string;
  weight: number;
  sandbox: boolean;
  keys: { rests_until: number | null; rests_for: string[] | null }[];
  health: {
    state: string;
    until: number | null;
    failures_in_a_row: number;
    last_error: { code: string; message: string; status: number | null; at: number } | null;
  };
}

interface Listed {
  items: Channel[];
  total: number;
}

const config = `
sandbox: "on"
distribution: { failures_to_eject: 2, ejection_ms: 60000 }
`;
const secret = "sk-vendor-secret-0000";
const good = kept(new Vendor((_request, reply) => reply.json(completion("hello"))));
const bad = kept(
  new Vendor((_request, reply) =>
    reply.json({ error: { message: `It broke for ${secret}` } }, 500),
  ),
);
const busy = kept(
  new Vendor((_request, reply) =>
    reply.json({ error: { message: "slow down" } }, 429, { "retry-after": "60" }),
  ),
);
const ids: Record<string, string> = {};

const gateway = useStand(() => startGateway({ config, oneProcess: "judgement" }));

beforeAll(async () => {
  for (const [name, vendor] of Object.entries({ good, bad, busy })) {
    const channel = vendor.channel({ name, models: [`${name}-model`, "shared"], priority: 1 });
    ids[name] = (await gateway.control<Channel>("POST", "/api/channel", channel)).id;
    const price = { model: `${name}-model`, input_micros_per_million: 0 };
    await gateway.control("POST", "/api/price", { ...price, output_micros_per_million: 0 });
  }
  const shared = { model: "shared", input_micros_per_million: 0, output_micros_per_million: 0 };
  await gateway.control("POST", "/api/price", shared);
});

async function statusOf(model: string, key: string = rootKey, channel?: string): Promise<number> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(channel !== undefined && { "x-sluice-channel": channel }),
    },
    body: JSON.stringify(chatBody(model)),
  });
  await response.text();
  return response.status;
}

async function view(name: string): Promise<Channel> {
  return await gateway.control<Channel>("GET", `/api/channel/${ids[name]}`);
}

test("a channel says whether it would get a request, until when not, and what went wrong last", async () => {
  expect((await view("good")).health).toEqual({
    ejected: false,
    state: "open",
    until: null,
    failures_in_a_row: 0,
    last_error: null,
  } as Channel["health"]);
  const people = [await newPerson(gateway, 1000), await newPerson(gateway, 1000)];
  for (const { key } of people) expect(await statusOf("bad-model", key)).toBe(500);
  const nowSeconds = Date.now() / 1000;
  const { health } = await view("bad");
  expect(health).toMatchObject({ state: "ejected", failures_in_a_row: 2 });
  expect(health.until).toBeGreaterThan(nowSeconds + 40);
  expect(health.last_error).toMatchObject({ code: "bad_response", status: 500 });
  expect(health.last_error?.message).toContain("It broke for");
  expect(health.last_error?.message).not.toContain(secret);
  expect(Math.abs((health.last_error?.at ?? 0) - nowSeconds)).toBeLessThan(30);
  expect(await statusOf("busy-model", people[0]?.key)).toBe(429);
  const half = await view("busy");
  expect(half.health.state).toBe("open");
  expect(half.keys).toMatchObject([{ rests_for: ["busy-model"] }]);
  expect(await statusOf("shared", rootKey, ids["busy"])).toBe(429);
  const resting = await view("busy");
  expect(resting.health).toMatchObject({ state: "resting", failures_in_a_row: 0 });
  expect(resting.keys).toMatchObject([{ rests_for: ["busy-model", "shared"] }]);
  expect(resting.health.until).toBe(half.keys[0]?.rests_until ?? null);
  expect(resting.health.until).toBeGreaterThan(nowSeconds + 40);
});

test("the protocols and formats that a channel can have are those that one is made with", async () => {
  const kinds = await gateway.control<Record<string, string[]>>("GET", "/api/vendor");
  const { types = [], formats = [], client_formats: clientFormats = [] } = kinds;
  const local = { base_url: good.url, allow_private: true };
  const draft = { name: "kinds", ...local, key: secret, models: ["m"] };
  for (const type of types) {
    const { id } = await gateway.control<Channel>("POST", "/api/channel", { ...draft, type });
    await gateway.control("DELETE", `/api/channel/${id}`);
  }
  for (const format of formats) {
    const fields = { ...draft, type: types[0], format };
    const { id } = await gateway.control<Channel>("POST", "/api/channel", fields);
    await gateway.control("DELETE", `/api/channel/${id}`);
  }
  // No client speaks it.
  expect(formats.filter((one) => !clientFormats.includes(one))).toEqual(["converse"]);
  const unknown = await gateway.controlEnvelope("POST", "/api/channel", {
    ...draft,
    type: "other",
  });
  expect(unknown).toMatchObject({ success: false, param: "type" });
});

test("channels are found by name, group, type, model and status, in any order", async () => {
  async function names(query: string): Promise<string[]> {
    const { items } = await gateway.control<Listed>("GET", `/api/channel?${query}`);
    return items.map(({ name }) => name);
  }
  expect(await names("")).toEqual(["bad", "busy", "good"]);
  expect(await names("q=B")).toEqual(["bad", "busy"]);
  expect(await names("sort=-name")).toEqual(["good", "busy", "bad"]);
  expect(await names("model=good-model&group=default&type=openai")).toEqual(["good"]);
  expect(await names("status=disabled")).toEqual([]);
  const wrong = await gateway.controlEnvelope("GET", "/api/channel?sort=key");
  expect(wrong).toMatchObject({ success: false, param: "sort" });
});

test("the sandbox's channels are listed where it is asked for, opened, and not changed", async () => {
  const { items } = await gateway.control<Listed>("GET", "/api/channel?sandbox=true&page_size=100");
  const practice = items.filter(({ sandbox }) => sandbox);
  expect(practice.length).toBeGreaterThan(5);
  expect(practice[0]).toMatchObject({ health: { state: "open" } });
  const path = `/api/channel/${practice[0]?.id}`;
  expect(await gateway.control<unknown>("GET", path)).toEqual(practice[0]);
  const changed = await gateway.controlEnvelope("PATCH", path, { weight: 2 });
  expect(changed).toMatchObject({ success: false, code: "not_found" });
});

test("a request of an admin goes to the channel that it names, and to no other", async () => {
  const before = good.requests.length;
  for (let count = 0; count < 5; count++) {
    expect(await statusOf("shared", rootKey, ids["good"])).toBe(200);
  }
  expect(good.requests.length - before).toBe(5);
  // The one that is named is asked although it is put aside, and nobody else after it.
  expect(await statusOf("shared", rootKey, ids["bad"])).toBe(500);
  expect(await statusOf("bad-model", rootKey, ids["good"])).toBe(503);
  expect(await statusOf("shared", rootKey, "chn_nobody")).toBe(503);
});

test("what an ordinary account names is not heard", async () => {
  const person = await newPerson(gateway, 1000);
  expect(await statusOf("good-model", person.key, ids["bad"])).toBe(200);
});

const draft = { type: "openai", key: secret, allow_private: true, models: ["m"] };

test("a channel is tried out before it is made, and nothing of it is written", async () => {
  const tried = await gateway.control("POST", "/api/channel/test", {
    ...draft,
    base_url: good.url,
  });
  expect(tried).toMatchObject({ ok: true, status: 200, checked: "answer", model: "m" });
  const failed = await gateway.control("POST", "/api/channel/test", {
    ...draft,
    base_url: bad.url,
  });
  expect(failed).toMatchObject({ ok: false, status: 500 });
  expect(JSON.stringify(failed)).not.toContain(secret);
  expect(await gateway.control("GET", "/api/channel")).toMatchObject({ total: 3 });
  const wrong = await gateway.controlEnvelope("POST", "/api/channel/test", { type: "openai" });
  expect(wrong).toMatchObject({ success: false, param: "base_url" });
});

interface Step {
  step: string;
  ms: number;
  url?: string;
  status?: number;
  result?: { ok: boolean; status: number };
}

async function follow(path: string, body: unknown): Promise<Step[]> {
  const response = await fetch(gateway.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${rootToken}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => JSON.parse(line.slice("data: ".length)) as Step);
}

test("a test is told step by step: where it goes, who is there, what comes", async () => {
  const vendor = new Vendor((request, reply) => {
    if (!request.path.endsWith("/models")) return complete(request, reply, "pong");
    reply.json({ data: [{ id: "another" }] });
  });
  const steps = await follow("/api/channel/test?stream=1", { ...draft, base_url: vendor.url });
  const told = ["listed", "resolved", "connected", "answered", "first_token", "done"];
  expect(steps.map(({ step }) => step)).toEqual(told);
  expect(steps[0]).toMatchObject({ models: 1, has_model: false });
  expect(steps[1]).toMatchObject({ url: `${vendor.url}/v1/chat/completions` });
  expect(steps[3]).toMatchObject({ status: 200 });
  expect(steps.at(-1)).toMatchObject({ result: { ok: true, status: 200 } });
  const times = steps.map(({ ms }) => ms);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  vendor[Symbol.dispose]();
  const gone = await follow("/api/channel/test?stream=1", { ...draft, base_url: vendor.url });
  expect(gone.map(({ step }) => step)).toEqual(["unlisted", "resolved", "done"]);
  expect(gone.at(-1)).toMatchObject({ result: { ok: false, status: null } });
  const saved = await follow(`/api/channel/${ids["bad"]}/test?stream=1`, {});
  expect(saved.map(({ step }) => step)).toEqual([
    "unlisted",
    "resolved",
    "connected",
    "answered",
    "done",
  ]);
});

test("a test is passed by a vendor that has no streams, and says so", async () => {
  const steps = await follow("/api/channel/test?stream=1", { ...draft, base_url: good.url });
  const { result } = steps.at(-1) ?? {};
  expect(result).toMatchObject({ ok: true, status: 200 });
  expect(JSON.stringify(result)).toContain('hello\\" with');
  expect(JSON.stringify(result)).toContain("Asked for a stream, it sent none that can be read.");
});

async function make(name: string, fields: object = {}): Promise<Channel> {
  const channel = good.channel({ name, models: [`${name}-model`], ...fields });
  return await gateway.control<Channel>("POST", "/api/channel", channel);
}

async function entriesOf(id: string): Promise<string[]> {
  const path = `/api/audit?target_id=${id}`;
  const { items } = await gateway.control<{ items: { action: string }[] }>("GET", path);
  return items.map(({ action }) => action);
}

test("many channels are changed or deleted at once, all or none, each with its entry", async () => {
  const [one, two] = [await make("batch-one"), await make("batch-two")];
  const path = "/api/channel/batch";
  const batch = { ids: [one.id, two.id], change: { weight: 7, status: "disabled" } };
  const { items } = await gateway.control<Listed>("POST", path, batch);
  expect(items.map(({ weight }) => weight)).toEqual([7, 7]);
  expect(items.map(({ health }) => health.state)).toEqual(["disabled", "disabled"]);
  for (const { id } of [one, two]) {
    expect(await entriesOf(id)).toEqual(["channel.change", "channel.create"]);
  }
  const unknown = "chn_00000000000000000000000000";
  const halves = [
    { ids: [one.id, unknown], change: { weight: 9 } },
    { ids: [one.id], change: { weight: -1 } },
    { ids: [one.id, two.id], change: { name: "both" } },
    { ids: [one.id, two.id], change: { base_url: bad.url } },
    { ids: [one.id], change: { weight: 9 }, remove: true },
    { ids: [one.id] },
  ];
  for (const half of halves) {
    expect(await gateway.controlEnvelope("POST", path, half)).toMatchObject({ success: false });
    const after = await gateway.control<Channel>("GET", `/api/channel/${one.id}`);
    expect(after).toMatchObject({ weight: 7, name: "batch-one" });
  }
  const gone = await gateway.control("POST", path, { ids: [one.id, two.id], remove: true });
  expect(gone).toEqual({ items: [], removed: [one.id, two.id] });
  expect(await gateway.control("GET", "/api/channel?q=batch-")).toMatchObject({ total: 0 });
});

test("a copy has the keys of the first, and serves nobody until it is enabled", async () => {
  const first = await make("copied");
  const copy = await gateway.control<Channel>("POST", `/api/channel/${first.id}/copy`);
  expect(copy).toMatchObject({ name: "copied copy", health: { state: "disabled" } });
  await gateway.control("PATCH", `/api/channel/${copy.id}`, { status: "enabled" });
  expect(await gateway.control("POST", `/api/channel/${copy.id}/test`)).toMatchObject({ ok: true });
  expect(good.requests.at(-1)?.headers["authorization"]).toBe(`Bearer ${secret}`);
  const again = await gateway.controlEnvelope("POST", `/api/channel/${first.id}/copy`);
  expect(again).toMatchObject({ success: false, code: "conflict" });
});

test("channels go out as YAML without a key and come in by it, all or none", async () => {
  const made = await make("by-yaml", { weight: 3 });
  const path = "/api/channel/yaml";
  const { yaml } = await gateway.control<{ yaml: string }>("GET", path);
  expect(yaml).toContain("key: ${BY_YAML_KEY}");
  expect(yaml).not.toContain(secret);
  const lighter = yaml.replace("weight: 3", "weight: 4");
  const dry = await gateway.control("POST", path, { yaml: lighter, dry_run: true });
  expect(dry).toMatchObject({ created: [], dry_run: true });
  expect(await gateway.control("GET", `/api/channel/${made.id}`)).toMatchObject({ weight: 3 });
  await gateway.control("POST", path, { yaml: lighter });
  expect(await gateway.control("GET", `/api/channel/${made.id}`)).toMatchObject({ weight: 4 });
  expect(await gateway.control("POST", `/api/channel/${made.id}/test`)).toMatchObject({ ok: true });
  const added = "channels:\n  - { name: by-yaml, weight: 5 }\n  - { name: new, weight: 5 }\n";
  const refused = await gateway.controlEnvelope("POST", path, { yaml: added });
  expect(refused).toMatchObject({ success: false, param: "channels.1.type" });
  expect(await gateway.control("GET", `/api/channel/${made.id}`)).toMatchObject({ weight: 4 });
  const broken = await gateway.controlEnvelope("POST", path, { yaml: "channels: [" });
  expect(broken).toMatchObject({ success: false, param: "yaml" });
});

test("a channel that is disabled says how many requests still run on it", async () => {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const slow = new Vendor(async (_request, reply) => {
    begun.resolve();
    await released.promise;
    reply.json(completion("late"));
  });
  const channel = slow.channel({ name: "draining", models: ["good-model"], priority: 9 });
  const { id } = await gateway.control<Channel>("POST", "/api/channel", channel);
  const running = statusOf("good-model");
  await begun.promise;
  const disabled = await gateway.control("PATCH", `/api/channel/${id}`, { status: "disabled" });
  expect(disabled).toMatchObject({ in_flight: 1, health: { state: "disabled" } });
  expect(await statusOf("good-model")).toBe(200);
  released.resolve();
  expect(await running).toBe(200);
  expect(await gateway.control("GET", `/api/channel/${id}`)).toMatchObject({ in_flight: 0 });
  slow[Symbol.dispose]();
});
