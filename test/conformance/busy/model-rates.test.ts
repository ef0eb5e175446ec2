// Rates that a key has for single models: told apart by name or pattern, on every paid route, and a
// refusal takes nothing from what the key has besides.
import { describe, expect, test } from "bun:test";
import { chatBody, errorOf } from "../../harness/ask.ts";
import { eventually } from "../../harness/books.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { nameOf, routes } from "../../harness/route-table.ts";
import { pngUrl } from "../../harness/samples.ts";
import { completion, Vendor } from "../../harness/vendor.ts";

const models = ["opus-1", "opus-2", "haiku-1"];
const vendor = kept(new Vendor((_request, reply) => reply.json(completion("Yes."))));
const gateway = useStand(() =>
  startGateway({
    oneProcess: "places",
    config: JSON.stringify({
      sandbox: "off",
      unpriced: "free",
      channels: [vendor.channel({ name: "all", models })],
      models: [{ name: "best", members: [{ model: "opus-1" }] }],
      keys: [{ name: "declared", unlimited: true, model_requests_per_minute: { "opus-*": 2 } }],
    }),
  }),
);

async function newKey(fields: object): Promise<string> {
  const body = { name: `rated ${crypto.randomUUID().slice(0, 8)}`, unlimited: true, ...fields };
  return (await gateway.control<{ key: string }>("POST", "/api/token", body)).key;
}

const ask = (key: string, model: string) =>
  gateway.post("/v1/chat/completions", chatBody(model), key);

test("Q3 a key's rate for a model is named in its 429, and other models go on", async () => {
  const key = await newKey({ model_requests_per_minute: { "opus-*": 2 } });
  expect((await ask(key, "opus-1")).status).toBe(200);
  const second = await ask(key, "opus-2");
  expect(second.status).toBe(200);
  expect(second.headers.get("x-ratelimit-limit-requests")).toBe("2");
  expect(second.headers.get("x-ratelimit-remaining-requests")).toBe("0");
  const refused = await ask(key, "opus-1");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  const { code, message } = await errorOf(refused);
  expect(code).toBe("rate_limit_exceeded");
  expect(message).toContain("2 requests per minute for opus-* with this API key");
  expect((await ask(key, "haiku-1")).status).toBe(200);
  gateway.pass(60);
  expect((await ask(key, "opus-1")).status).toBe(200);
});

test("Q3 the name that says most has the rate, and all names of a pattern share one", async () => {
  const key = await newKey({ model_requests_per_minute: { "*": 1, "opus-*": 5, "opus-2": 1 } });
  for (let at = 0; at < 5; at++) expect((await ask(key, "opus-1")).status).toBe(200);
  expect((await ask(key, "opus-1")).status).toBe(429);
  expect((await ask(key, "opus-2")).status).toBe(200);
  expect((await ask(key, "opus-2")).status).toBe(429);
  expect((await ask(key, "haiku-1")).status).toBe(200);
  const refused = await ask(key, "haiku-1");
  expect((await errorOf(refused)).message).toContain("for * with this API key");
});

test("Q3 a rate for a model counts names of the key's own as what they stand for", async () => {
  const rates = { model_requests_per_minute: { "opus-1": 1 } };
  const key = await newKey({ ...rates, model_mapping: { mine: "opus-1" } });
  expect((await ask(key, "mine")).status).toBe(200);
  expect((await ask(key, "opus-1")).status).toBe(429);
  expect((await ask(key, "best")).status).toBe(200);
});

test("Q3 a refusal by the rate of a model takes nothing from the key's own", async () => {
  const rates = { requests_per_minute: 3, model_requests_per_minute: { "opus-1": 1 } };
  const key = await newKey(rates);
  expect((await ask(key, "opus-1")).status).toBe(200);
  for (let at = 0; at < 5; at++) expect((await ask(key, "opus-1")).status).toBe(429);
  const second = await ask(key, "haiku-1");
  expect(second.headers.get("x-ratelimit-remaining-requests")).toBe("1");
  expect((await ask(key, "haiku-1")).status).toBe(200);
  const { message } = await errorOf(await ask(key, "haiku-1"));
  expect(message).toContain("3 requests per minute for this API key");
});

test("Q3 tokens of a model are counted when they were used", async () => {
  const key = await newKey({ model_tokens_per_minute: { "opus-*": 5 } });
  expect((await ask(key, "opus-1")).status).toBe(200);
  const refused = await eventually("the count", async () => {
    const response = await ask(key, "opus-1");
    return response.status === 429 ? response : undefined;
  });
  expect((await errorOf(refused)).message).toContain("5 tokens per minute for opus-* with");
  expect((await ask(key, "haiku-1")).status).toBe(200);
});

test("Q3 rates by model are shown, changed, taken out, declared and refused by name", async () => {
  interface Shown {
    id: string;
    model_requests_per_minute: object | null;
    model_tokens_per_minute: object | null;
  }
  const rates = { model_requests_per_minute: { "a*": 3 }, model_tokens_per_minute: { b: 9 } };
  const made = await gateway.control<Shown>("POST", "/api/token", {
    name: "shown",
    unlimited: true,
    ...rates,
  });
  const path = `/api/token/${made.id}`;
  expect(made).toMatchObject(rates);
  const changed = { model_tokens_per_minute: { c: 1 } };
  expect(await gateway.control<Shown>("PATCH", path, changed)).toMatchObject({
    ...rates,
    ...changed,
  });
  const cleared = { model_requests_per_minute: null, model_tokens_per_minute: null };
  expect(await gateway.control<Shown>("PATCH", path, cleared)).toMatchObject(cleared);
  const { items } = await gateway.control<{ items: Shown[] }>("GET", "/api/token?q=declared");
  expect(items).toMatchObject([{ model_requests_per_minute: { "opus-*": 2 } }]);
  for (const count of [0, 1.5, "5", 1e11 + 1]) {
    const body = { model_requests_per_minute: { m: count } };
    const refused = await gateway.controlEnvelope("PATCH", path, body);
    expect(refused.message).toContain("model_requests_per_minute.m");
  }
});

const text = { messages: [{ role: "user", content: "hi" }] };
const contents = { contents: [{ parts: [{ text: "hi" }] }] };
const picture = { prompt: "A fox", model: "imageA-2" };
const video = { prompt: "A fox" };
const imgF = { prompt: "A fox" };

const vertex = { anthropic_version: "vertex-2023-10-16", max_tokens: 9, ...text };
const bedrock = { ...vertex, anthropic_version: "bedrock-2023-05-31" };

/** Bodies that name a model where the address does not, and are right otherwise, by its end. */
const bodies: Readonly<Record<string, object>> = {
  "/chat/completions": { model: "m", ...text },
  "/completions": { model: "m", prompt: "hi" },
  "/embeddings": { model: "m", input: "hi" },
  "/responses": { model: "m", input: "hi" },
  "/responses/compact": { model: "m", input: "hi" },
  "/messages": { model: "m", max_tokens: 9, ...text },
  ":rawPredict": vertex,
  ":streamRawPredict": vertex,
  "/invoke": bedrock,
  "/invoke-with-response-stream": bedrock,
  ":generateContent": contents,
  ":embedContent": { content: contents.contents[0] },
  ":batchEmbedContents": { requests: [{ content: contents.contents[0] }] },
  ":streamGenerateContent": contents,
  ":predict": { instances: [{ content: "hi" }] },
  ":predictLongRunning": { instances: [video] },
  "/videos": { model: "sora-2", ...video },
  "/video/generations": { model: "sora-2", ...video },
  "/text2video": { model_name: "kling-v2-6", ...video },
  "/image2video": { model_name: "kling-v2-6", image: pngUrl, ...video },
  "/images/generations": picture,
  "/edits": { ...picture, image: pngUrl },
  "/generations/async": picture,
  "/edits/async": { ...picture, image: pngUrl },
  "/imagine": imgF,
  "/submit/change": { taskId: "1", action: "UPSCALE", index: 1 },
  "/submit/action": { taskId: "1", customId: "c" },
  "/blend": { base64Array: [pngUrl, pngUrl] },
  "/describe": { base64: pngUrl },
  "/modal": { taskId: "1", prompt: "A fox" },
  "/simple-change": { content: "1 U1" },
};

/** Models of an address, where it has to be one of a kind. */
const addressed: Readonly<Record<string, string>> = {
  ":predictLongRunning": "veo-3.1-generate-001",
  "/images/generations": "imageA-2",
  "/images/edits": "imageA-2",
};

function byEnd<Value>(values: Readonly<Record<string, Value>>, path: string): Value | undefined {
  const ends = Object.keys(values).filter((end) => path.endsWith(end));
  const [longest = ""] = ends.toSorted((one, other) => other.length - one.length);
  return values[longest];
}

const paid = routes.filter((route) => route.policy === "key" && route.isPaid);

describe("a rate for a model holds on every paid route", () => {
  test.each(paid.map((route) => [nameOf(route), route.path] as const))(
    "Q3 it refuses a second %s",
    async (name, path) => {
      const body = byEnd(bodies, path);
      if (!body) throw new Error(`no body for ${name}`);
      const key = await newKey({ model_requests_per_minute: { "*": 1 } });
      const address = path
        .replace("{model}", byEnd(addressed, path) ?? "m")
        .replaceAll(/\{\w+\}/g, "x");
      const send = () => gateway.post(address, body, key);
      const first = await send();
      const said = await first.text();
      expect(said).not.toContain("for * with this API key");
      const second = await send();
      expect(await second.text()).toContain("1 requests per minute for * with this API key");
    },
  );
});

/** Calls that set rates a minute. */
const rated: Readonly<Record<string, (rates: object) => Promise<[call: string, body: object]>>> = {
  "a key": async (rates) => ["POST /api/token", { name: "bounded", unlimited: true, ...rates }],
  "an account": async (rates) => {
    const { id } = await gateway.customer(1);
    return [`PATCH /api/user/${id}`, rates];
  },
  "a group": async (rates) => ["POST /api/group", { name: "bounded", ...rates }],
  "a channel": async (rates) => [
    "POST /api/channel",
    vendor.channel({ name: `bounded ${crypto.randomUUID().slice(0, 8)}`, models, ...rates }),
  ],
};

async function setRates(who: string, rates: object) {
  const [call = "", body = {}] = (await rated[who]?.(rates)) ?? [];
  const [method = "", path = ""] = call.split(" ");
  return await gateway.controlEnvelope(method, path, body);
}

describe("a rate a minute", () => {
  const cases = Object.keys(rated).flatMap((who) =>
    ["requests_per_minute", "tokens_per_minute"].map((field) => [who, field] as const),
  );

  test.each(cases)("Q5 of %s has one bound, past which %s is refused", async (who, field) => {
    const refused = await setRates(who, { [field]: 1e11 + 1 });
    expect(refused).toMatchObject({ success: false, param: field });
    expect(refused.message).toContain("100000000000");
  });

  test.each(cases)("Q3 of %s may be as large as its bound: %s", async (who, field) => {
    expect(await setRates(who, { [field]: 1e11 })).toMatchObject({ success: true });
    expect((await ask(await newKey({}), "haiku-1")).status).toBe(200);
  });
});
