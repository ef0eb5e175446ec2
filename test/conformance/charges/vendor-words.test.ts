// Names for a cache among vendors of OpenAI's wire: each is charged at the cache's price, whole and
// streamed, and so is what stands in a place of its own.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { entryOf } from "../../harness/entries.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { Vendor } from "../../harness/vendor.ts";
import { wires } from "../../harness/wires.ts";

setDefaultTimeout(60_000);

const vendor = kept(new Vendor((_request, reply) => reply.cut()));

/** Full input costs ten times what is read from a cache, and four fifths of what is written. */
const price = {
  input_micros_per_million: 10e6,
  cache_read_micros_per_million: 1e6,
  cache_write_micros_per_million: 12.5e6,
  output_micros_per_million: 20e6,
};

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [vendor.channel({ models: ["m"] })],
      prices: [{ model: "m", ...price }],
    }),
  }),
);

async function charged(usage: object, stream: boolean, place: "usage" | "x_groq" = "usage") {
  const { key } = await gateway.customer(1_000_000_000);
  const last = place === "usage" ? { usage } : { usage: null, x_groq: { id: "req_1", usage } };
  vendor.script = (_request, reply) => {
    if (!stream) return reply.json({ ...wires.chat.reply("Yes.", null), ...last });
    const chunk = (delta: object, finish_reason: string | null, more: object = {}) =>
      reply.event({ id: "c", choices: [{ index: 0, delta, finish_reason }], ...more });
    reply.stream();
    chunk({ role: "assistant", content: "Yes." }, null);
    chunk({}, "stop", last);
    reply.event("[DONE]");
    return reply.end();
  };
  const content = "Where do lighthouses stand? ".repeat(200);
  const body = { model: "m", messages: [{ role: "user", content }], max_tokens: 400, stream };
  const response = await gateway.post("/v1/chat/completions", body, key);
  expect(response.status).toBe(200);
  await response.text();
  return await entryOf(gateway, response.headers.get("x-request-id") ?? "");
}

const counts = { prompt_tokens: 1000, completion_tokens: 5, total_tokens: 1005 };
const mostlyRead = 100 * 10 + 900 + 5 * 20;

describe.each([false, true])("streamed: %p", (stream) => {
  test.each<[string, object, number]>([
    ["nobody", {}, 1000 * 10 + 5 * 20],
    ["DeepSeek", { prompt_cache_hit_tokens: 900, prompt_cache_miss_tokens: 100 }, mostlyRead],
    ["Moonshot", { cached_tokens: 900 }, mostlyRead],
    ["Mistral", { num_cached_tokens: 900 }, mostlyRead],
    ["Mistral's details", { prompt_token_details: { cached_tokens: 900 } }, mostlyRead],
    ["Zhipu", { prompt_tokens_details: { cached_tokens: 900 } }, mostlyRead],
    [
      "DashScope",
      { prompt_tokens_details: { cached_tokens: 500, cache_creation_input_tokens: 400 } },
      100 * 10 + 500 + 400 * 12.5 + 5 * 20,
    ],
    [
      "OpenRouter",
      { prompt_tokens_details: { cached_tokens: 500, cache_write_tokens: 400 } },
      100 * 10 + 500 + 400 * 12.5 + 5 * 20,
    ],
    ["vLLM", { prompt_tokens_details: null }, 1000 * 10 + 5 * 20],
  ])("N18 what %s reads from its cache is charged as read", async (_vendor, own, micros) => {
    expect(await charged({ ...counts, ...own }, stream)).toMatchObject({ micros });
  });

  test("N18 what xAI reads beside the prompt is charged as read", async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 5,
      total_tokens: 105,
      prompt_tokens_details: { cached_tokens: 900 },
      cost_in_usd_ticks: 1_200_000,
    };
    expect(await charged(usage, stream)).toMatchObject({ micros: mostlyRead });
  });

  test("N18 what Cohere bills is charged, and its own prompt is not", async () => {
    const usage = {
      billed_units: { input_tokens: 800, output_tokens: 5 },
      tokens: { input_tokens: 2194, output_tokens: 9 },
      cached_tokens: 1344,
    };
    expect(await charged(usage, stream)).toMatchObject({ micros: 800 * 10 + 5 * 20 });
  });
});

test("N18 what Groq counts in a place of its own in streams is charged", async () => {
  const usage = { ...counts, prompt_tokens_details: { cached_tokens: 900 } };
  expect(await charged(usage, true, "x_groq")).toMatchObject({ micros: mostlyRead });
});
