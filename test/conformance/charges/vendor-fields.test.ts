// Fields that no vendor of a wire publishes and some reseller reads: what costs more than tokens is
// held, refused with its name, or left out and named.
import { beforeEach, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { entryOf } from "../../harness/entries.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers } from "../../harness/wires.ts";

const vendor = kept(new Vendor(answers("chat", "Yes.")));
const price = { input_micros_per_million: 1e6, output_micros_per_million: 1e6 };
const models = ["m", "gpt-4o-mini"];
const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [vendor.channel({ name: "reseller", models })],
      prices: models.map((model) => ({ model, ...price })),
    }),
  }),
);

beforeEach(() => {
  vendor.requests.length = 0;
});

const plain = { model: "m", max_tokens: 100, messages: [{ role: "user", content: "hi" }] };

async function send(fields: JsonObject) {
  const response = await gateway.post("/v1/chat/completions", { ...plain, ...fields });
  const text = await response.text();
  return { response, text };
}

async function heldFor(fields: JsonObject): Promise<number> {
  const { response, text } = await send(fields);
  expect(response.status, text).toBe(200);
  const entry = await entryOf(gateway, response.headers.get("x-request-id") ?? "");
  return entry.held_micros;
}

test("fields in extra_body that decide the cost are left out and named", async () => {
  const google = { thinking_config: { include_thoughts: true } };
  const extra_body = { model: "dear", max_tokens: 64_000, web_search: true, google };
  const { response, text } = await send({ extra_body, fallback_models: ["dear"] });
  expect(response.status, text).toBe(200);
  const ignored = response.headers.get("x-sluice-ignored")?.split(/, ?/).toSorted();
  expect(ignored).toEqual([
    "extra_body.max_tokens",
    "extra_body.model",
    "extra_body.web_search",
    "fallback_models",
  ]);
  expect(vendor.requests[0]?.body).toMatchObject({ model: "m", max_tokens: 100 });
  expect(vendor.requests[0]?.body["extra_body"]).toEqual({ google });
  expect(vendor.requests[0]?.body).not.toHaveProperty("fallback_models");
});

test.each(["web_search", "enable_web_search", "enable_code_interpreter"])(
  "%s without a price is refused by its name, and passes where it is off",
  async (field) => {
    const refused = await send({ [field]: true });
    expect([refused.response.status, refused.text]).toEqual([400, expect.stringContaining(field)]);
    expect((await send({ [field]: false })).response.status).toBe(200);
    expect((await send({ [field]: { enable: false } })).response.status).toBe(200);
  },
);

test("an empty list of plugins asks for none", async () => {
  expect((await send({ plugins: [] })).response.status).toBe(200);
  expect((await send({ plugins: [{ id: "web" }] })).response.status).toBe(400);
});

test("a file that a system message names in its words is refused as nobody's", async () => {
  const system = { role: "system", content: "fileid://file-fe-abc123" };
  const { response, text } = await send({ messages: [system, ...plain.messages] });
  expect([response.status, text]).toEqual([400, expect.stringContaining("messages.0.content")]);
  expect(vendor.requests).toEqual([]);
});

const url = "https://example.com/a.png";
const seen = [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }];

test.each<[string, JsonObject, JsonObject, number]>([
  ["a budget of thoughts", { enable_thinking: true, thinking_budget: 30_000 }, {}, 30_000],
  ["best_of", { best_of: 8 }, {}, 700],
  [
    "pictures in full",
    { vl_high_resolution_images: true, messages: seen },
    { messages: seen },
    16_384 - 4096,
  ],
  [
    "a picture for a small model",
    { model: "gpt-4o-mini", messages: seen },
    { messages: seen },
    48_169 - 4096,
  ],
])("%s is held for", async (_name, fields, others, tokens) => {
  expect((await heldFor(fields)) - (await heldFor(others))).toBeGreaterThanOrEqual(tokens);
});
