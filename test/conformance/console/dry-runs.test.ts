// Dry runs: where a request would go, and what a vendor would get of it. Nothing is sent.
import { beforeAll, expect, test } from "bun:test";
import { newPerson } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { startGateway } from "../../harness/gateway.ts";
import { completion, Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

interface Preview {
  candidates: {
    name: string;
    turn: number | null;
    share: number;
    state: string;
    converted_to: string | null;
    upstream_model: string;
  }[];
  others: { name: string; reason: string }[];
  affinity: {
    state: string;
    placed: { by: string; channel_id: string; key: number | null } | null;
  } | null;
  refusal: { code: string } | null;
}

const config = 'sandbox: "off"\ndistribution: { failures_to_eject: 2, ejection_ms: 60000 }\n';
const good = kept(new Vendor((_request, reply) => reply.json(completion("hello"))));
const bad = kept(new Vendor((_request, reply) => reply.json({ error: {} }, 500)));
const ids: Record<string, string> = {};

async function add(vendor: Vendor, name: string, fields: object): Promise<void> {
  const channel = vendor.channel({ name, models: ["m"], ...fields });
  ids[name] = (await gateway.control<{ id: string }>("POST", "/api/channel", channel)).id;
}

const gateway = useStand(() => startGateway({ config, oneProcess: "judgement" }));

beforeAll(async () => {
  await gateway.control("POST", "/api/group", { name: "gold", multiplier: 2 });
  await add(good, "heavy", { priority: 5, weight: 3, model_mapping: { m: "vendor-m" } });
  await add(good, "light", { priority: 5, weight: 1 });
  await add(good, "converting", { priority: 5, weight: 9, type: "anthropic" });
  await add(good, "later", { priority: 1 });
  await add(bad, "failing", { priority: 9, models: ["m", "only-bad"] });
  await add(good, "golden", { groups: ["gold"] });
  await add(good, "off", { status: "disabled" });
  await add(good, "other", { models: ["other"] });
  for (const model of ["m", "only-bad"]) {
    const price = { model, input_micros_per_million: 1_000_000 };
    await gateway.control("POST", "/api/price", { ...price, output_micros_per_million: 2_000_000 });
  }
});

async function preview(body: object): Promise<Preview> {
  return await gateway.control<Preview>("POST", "/api/route", body);
}

test("the order of channels, their chances and the reasons are told, and nothing is sent", async () => {
  for (const { key } of [await newPerson(gateway, 1e6), await newPerson(gateway, 1e6)]) {
    await (await gateway.post("/v1/chat/completions", chatBody("only-bad"), key)).text();
  }
  const before = good.requests.length + bad.requests.length;
  const { candidates, others, refusal } = await preview({ model: "m" });
  expect(refusal).toBeNull();
  expect(candidates.map(({ name, turn, share }) => [name, turn, share])).toEqual([
    ["heavy", 1, 0.75],
    ["light", 1, 0.25],
    ["converting", 2, 1],
    ["later", 3, 1],
    ["failing", null, 0],
  ]);
  expect(candidates[0]).toMatchObject({ upstream_model: "vendor-m", converted_to: null });
  expect(candidates[2]).toMatchObject({ converted_to: "messages" });
  expect(candidates[4]).toMatchObject({ state: "ejected" });
  expect(Object.fromEntries(others.map(({ name, reason }) => [name, reason]))).toEqual({
    golden: "It is not for the group default.",
    off: "It is disabled.",
    other: "It does not serve this model.",
  });
  expect(good.requests.length + bad.requests.length).toBe(before);
});

test("the order follows the client's format, a weight that is tried out, and the key", async () => {
  const messages = await preview({ model: "m", format: "messages" });
  expect(messages.candidates[0]).toMatchObject({ name: "converting", turn: 1, share: 1 });
  const weights = { [ids["light"] ?? ""]: 9 };
  const weighed = await preview({ model: "m", weights });
  expect(weighed.candidates[0]).toMatchObject({ name: "light", share: 0.75 });
  const person = await newPerson(gateway, 0, { group: "gold", models: ["m"] });
  const golden = await preview({ model: "m", key: person.keyId });
  expect(golden.candidates.map(({ name }) => name)).toEqual(["golden"]);
  const forbidden = await preview({ model: "other", key: person.keyId });
  expect(forbidden).toMatchObject({ candidates: [], refusal: { code: "model_not_found" } });
  const unpriced = await preview({ model: "other" });
  expect(unpriced.refusal).toMatchObject({ code: "model_not_priced" });
  expect((await preview({ model: "nobody" })).refusal).toMatchObject({ code: "model_not_found" });
  for (const wrong of [{}, { model: "m", format: "x" }, { model: "m", weights: { a: 0 } }]) {
    const answer = await gateway.controlEnvelope("POST", "/api/route", wrong);
    expect(answer).toMatchObject({ success: false, code: "invalid_request" });
  }
});

interface Converted {
  url: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  format: string;
  converted: boolean;
  ignored: string[];
  hold: { micros: number; output_tokens_max: number };
  reply: { body: unknown; events: string | null; charged_micros: number | null } | null;
}

async function convert(body: object): Promise<Converted> {
  return await gateway.control<Converted>("POST", "/api/convert", body);
}

const chat = {
  model: "m",
  max_tokens: 50,
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "hello" },
  ],
};
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "hi there" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 20 },
};

test("what is told of a conversion is what the vendor gets, and what is held and charged", async () => {
  const vendor = new Vendor((_request, reply) => reply.json(message));
  await add(vendor, "real", { type: "anthropic", groups: ["gold"], priority: 9 });
  const body = { ...chat, frequency_penalty: 0.5 };
  const ask = { format: "chat", body, channel: ids["real"], group: "gold" };
  const dry = await convert({ ...ask, reply: message });
  expect(vendor.requests).toHaveLength(0);
  const person = await newPerson(gateway, 1_000_000, { group: "gold" });
  const response = await gateway.post("/v1/chat/completions", body, person.key);
  const answer = (await response.json()) as { choices: unknown };
  const [sent] = vendor.requests;
  expect(dry.body).toEqual(sent?.body ?? {});
  expect(dry.url).toBe(vendor.url + (sent?.path ?? ""));
  expect(dry.headers["x-api-key"]).toBe("[key]");
  expect(JSON.stringify(dry)).not.toContain("sk-vendor-secret");
  expect(dry).toMatchObject({ converted: true, format: "messages" });
  expect(response.headers.get("x-sluice-ignored")).toBe(dry.ignored.join(", "));
  expect(dry.reply?.body).toMatchObject({ choices: answer.choices });
  const { items } = await gateway.control<{ items: { micros: number }[] }>(
    "GET",
    `/api/log?key=${person.keyId}`,
  );
  // 10 tokens in and 20 out, at twice 1 and 2 micros.
  expect([items[0]?.micros, dry.reply?.charged_micros]).toEqual([100, 100]);
  expect(dry.hold.micros).toBeGreaterThan(50 * 2 * 2);
  vendor[Symbol.dispose]();
});

test("a stream is converted back, and a format as such can be asked for", async () => {
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi there" } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 20 } },
    { type: "message_stop" },
  ];
  const reply = events
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
  const body = { ...chat, stream: true };
  const streamed = await convert({ format: "chat", body, dialect: "messages", reply });
  expect(streamed.reply?.events).toContain('"content":"hi there"');
  expect(streamed.reply?.events).toEndWith("data: [DONE]\n\n");
  expect(streamed.reply?.charged_micros).toBe(50);
  for (const dialect of ["chat", "responses", "messages", "content"]) {
    const plain = await convert({ format: "chat", body: chat, dialect });
    expect(plain).toMatchObject({ format: dialect, converted: dialect !== "chat", reply: null });
  }
  const google = { contents: [{ role: "user", parts: [{ text: "hello" }] }] };
  const named = { format: "content", body: google, model: "m", dialect: "chat" };
  expect((await convert(named)).body).toMatchObject({ model: "m" });
});

test("what a client would be refused for is refused, and so is an ask that is wrong itself", async () => {
  const ask = { format: "chat", body: chat, dialect: "messages" };
  const wrong: [object, string][] = [
    [{ ...ask, format: "x" }, "format"],
    [{ ...ask, channel: ids["heavy"] }, "channel"],
    [{ format: "chat", body: chat }, "channel"],
    [{ ...ask, body: { model: "m" } }, "messages"],
    [{ ...ask, reply: { a: 1 } }, "reply"],
    [{ ...ask, dialect: "x" }, "dialect"],
  ];
  for (const [body, param] of wrong) {
    const answer = await gateway.controlEnvelope("POST", "/api/convert", body);
    expect(answer).toMatchObject({ success: false, param });
  }
  const unpriced = { ...ask, body: { ...chat, model: "other" } };
  const answer = await gateway.controlEnvelope("POST", "/api/convert", unpriced);
  expect(answer).toMatchObject({ success: false });
});

test("an address shows the project that stands in the key, and nothing else of it", async () => {
  const parts = { client_email: "a@example.com", private_key: "private-canary" };
  for (const project of ["project-one", "project-two"]) {
    await add(good, project, {
      type: "vertex",
      models: ["m"],
      base_url: "https://aiplatform.googleapis.com",
      key: JSON.stringify({ ...parts, project_id: project }),
    });
    const ask = { format: "chat", body: chat, channel: ids[project] };
    const shown = await gateway.control<{ url: string }>("POST", "/api/convert", ask);
    expect(shown.url).toContain(`/projects/${project}/locations/global/`);
    expect(JSON.stringify(shown)).not.toMatch(/canary|a@example/);
    await gateway.control("DELETE", `/api/channel/${ids[project]}`);
  }
});

test("where a conversation would go is told, with its key, and stays what it was", async () => {
  const model = "talked-of";
  const keys = ["sk-talk-one-0001", "sk-talk-two-0002", "sk-talk-three-0003"];
  for (const name of ["talk-one", "talk-two"]) {
    const fields = { models: [model], key: undefined, keys: keys.map((key) => `${key}-${name}`) };
    await add(good, name, fields);
  }
  const price = { model, input_micros_per_million: 1000, output_micros_per_million: 2000 };
  await gateway.control("POST", "/api/price", price);
  const { key, keyId } = await gateway.customer(1_000_000);
  const asked = { model, key: keyId, conversation: "one" };
  expect((await preview(asked)).affinity).toEqual({ state: "no_cheaper_reads", placed: null });
  await gateway.control("POST", "/api/price", { ...price, cache_read_micros_per_million: 100 });
  const { affinity, candidates } = await preview(asked);
  expect(affinity).toMatchObject({ state: "on", placed: { by: "ranked" } });
  const placed = candidates.find(({ share }) => share === 1);
  expect(affinity?.placed?.channel_id).toBe(ids[placed?.name ?? ""] ?? "");
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "x-session-id": "one" },
    body: JSON.stringify(chatBody(model)),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  const sent = good.requests.at(-1)?.headers["authorization"] ?? "";
  expect(sent).toBe(`Bearer ${keys[affinity?.placed?.key ?? -1]}-${placed?.name}`);
  const again = (await preview(asked)).affinity;
  expect(again).toEqual({ ...affinity, placed: { ...affinity?.placed, by: "pinned" } } as never);
  const nobody = await gateway.controlEnvelope("POST", "/api/route", {
    model,
    conversation: "one",
  });
  expect(nobody).toMatchObject({ success: false });
  expect((await preview({ model })).affinity).toEqual({ state: "on", placed: null });
});

test("a conversion shows the cache key that OpenAI would get, and no other vendor", async () => {
  interface Converted {
    body: { prompt_cache_key?: string };
  }
  const price = { model: "warm", input_micros_per_million: 10, output_micros_per_million: 10 };
  await gateway.control("POST", "/api/price", { ...price, cache_read_micros_per_million: 1 });
  const openai = { models: ["warm"], base_url: "https://api.openai.com/v1", allow_private: false };
  await add(good, "openai itself", openai);
  await add(good, "its wire", { models: ["warm"] });
  const keyOn = async (channel: string, body: object) => {
    const asked = { format: "chat", channel: ids[channel], body: { ...chatBody("warm"), ...body } };
    return (await gateway.control<Converted>("POST", "/api/convert", asked)).body.prompt_cache_key;
  };
  const long = { messages: [{ role: "user", content: "word ".repeat(2000) }] };
  const made = await keyOn("openai itself", long);
  expect(made).toMatch(/^[\w-]{32}$/);
  expect(await keyOn("openai itself", long)).toBe(made);
  expect(await keyOn("openai itself", { ...long, prompt_cache_key: "mine" })).toBe("mine");
  expect(await keyOn("openai itself", {})).toBeUndefined();
  expect(await keyOn("its wire", long)).toBeUndefined();
});

test("a conversion shows what the vendor gets of a virtual model: its member on that channel", async () => {
  const members = [{ model: "only-bad" }, { model: "m" }];
  await gateway.control("POST", "/api/virtual-model", { name: "team", members });
  const convert = async (body: object) =>
    await gateway.control<{ upstream_model: string; hold: { micros: number } }>(
      "POST",
      "/api/convert",
      { format: "chat", ...body },
    );
  const heavy = { channel: ids["heavy"] };
  const own = await convert({ ...heavy, body: chatBody("m") });
  const virtual = await convert({ ...heavy, body: chatBody("team") });
  expect(virtual.upstream_model).toBe("vendor-m");
  // The hold differs by the length of the name alone.
  expect(Math.abs(virtual.hold.micros - own.hold.micros)).toBeLessThan(20);
  const failing = { channel: ids["failing"] };
  expect(await convert({ ...failing, body: chatBody("team") })).toMatchObject({
    upstream_model: "only-bad",
  });
  const first = await convert({ dialect: "messages", body: chatBody("team") });
  expect(first.upstream_model).toBe("only-bad");
});
