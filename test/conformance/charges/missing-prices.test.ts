// Prices that vendors have beside those of plain tokens: spoken input, a search before every
// answer, and what Perplexity counts beside the answer.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { entryOf } from "../../harness/entries.ts";
import { type Gateway, startGateway } from "../../harness/gateway.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers, wires } from "../../harness/wires.ts";

setDefaultTimeout(60_000);

const vendor = new Vendor(answers("chat", "Yes."));
const google = new Vendor(answers("content", "Yes."));
const metered = { input_micros_per_million: 1e6, output_micros_per_million: 1e6 };
const spoken = { ...metered, audio_input_micros_per_million: 16e6 };
let gateway: Gateway;

beforeAll(async () => {
  const models = ["spoken", "gpt-4o-mini-search-preview", "sonar-deep-research", "sonar-pro"];
  gateway = await startGateway({
    config: JSON.stringify({
      channels: [
        vendor.channel({ name: "chat", models }),
        google.channel({ name: "content", type: "google", models: ["heard", "gemini-2.5-flash"] }),
      ],
      prices: [
        { model: "spoken", ...spoken },
        { model: "heard", ...spoken },
        { model: "gpt-4o-mini-search-preview", ...metered },
        { model: "sonar-deep-research", ...metered, tool_micros: { web_search: 5000 } },
        { model: "sonar-pro", ...metered, tool_micros: { web_search: 5000 } },
      ],
    }),
  });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  for (const one of [vendor, google]) one[Symbol.dispose]();
});

const messages = [{ role: "user", content: "hi" }];

async function charged(path: string, body: object) {
  const { key } = await gateway.customer(1_000_000_000);
  const response = await gateway.post(path, body, key);
  expect(response.status).toBe(200);
  await response.text();
  return await entryOf(gateway, response.headers.get("x-request-id") ?? "");
}

function reply(usage: object) {
  return { ...wires.chat.reply("Yes.", null), usage };
}

const chat = (model: string, fields: object = {}) =>
  charged("/v1/chat/completions", { model, messages, max_tokens: 400, ...fields });

test("N18 1,000 spoken tokens of a chat prompt cost their own price", async () => {
  const usage = {
    prompt_tokens: 1010,
    completion_tokens: 20,
    total_tokens: 1030,
    prompt_tokens_details: { audio_tokens: 1000, text_tokens: 10 },
  };
  vendor.script = (_request, answer) => answer.json(reply(usage));
  expect(await chat("spoken")).toMatchObject({
    micros: 10 + 16_000 + 20,
    usage: "1010/20/0/0 heard=1000",
  });
});

test.each([
  ["heard", 10 + 16_000 + 20],
  // The shipped catalogue: $0.30 for text, $1 for sound, $2.50 for the answer.
  ["gemini-2.5-flash", 3 + 1000 + 50],
])("N18 1,000 spoken tokens of a prompt to Google's %s cost %d", async (model, micros) => {
  const usageMetadata = {
    promptTokenCount: 1010,
    candidatesTokenCount: 20,
    totalTokenCount: 1030,
    promptTokensDetails: [
      { modality: "TEXT", tokenCount: 10 },
      { modality: "AUDIO", tokenCount: 1000 },
    ],
  };
  google.script = (_request, answer) =>
    answer.json({ ...wires.content.reply("Yes.", null), usageMetadata });
  const contents = [{ role: "user", parts: [{ text: "hi" }] }];
  const entry = await charged(`/v1beta/models/${model}:generateContent`, { contents });
  expect(entry.micros).toBe(micros);
});

test("N18 a film elsewhere is held for at the price of sound", async () => {
  google.script = answers("content", "Yes.");
  const fileData = { mimeType: "video/mp4", fileUri: "https://example.com/film.mp4" };
  const contents = [{ role: "user", parts: [{ text: "hi" }, { fileData }] }];
  const entry = await charged("/v1beta/models/heard:generateContent", { contents });
  expect(entry.held_micros).toBeGreaterThan(16_000_000);
});

test.each([{}, { web_search_options: {} }])(
  "N18 a model that searches before every answer costs one search more, asked for by %j",
  async (fields) => {
    vendor.script = answers("chat", "Yes.", { input: 10, output: 20 });
    const entry = await chat("gpt-4o-mini-search-preview", fields);
    expect(entry.micros).toBe(25_000 + 30);
    expect(entry.held_micros).toBeGreaterThanOrEqual(25_000 + 400);
  },
);

test("N18 what Perplexity counts beside the answer is charged", async () => {
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 200,
    total_tokens: 210,
    reasoning_tokens: 150,
    citation_tokens: 300,
    num_search_queries: 3,
    cost: { total_cost: 0.0157 },
  };
  vendor.script = (_request, answer) => answer.json(reply(usage));
  expect(await chat("sonar-deep-research")).toMatchObject({
    micros: 10 + 200 + 150 + 300 + 3 * 5000,
    usage: "10/350/0/0 searches=3 fetched=300",
  });
});

test.each([
  ["sonar-pro", 1, 2],
  ["sonar-deep-research", 30, 38],
])("N18 of %s %d searches are held for, and no more than %d charged", async (...row) => {
  const [model, held, most] = row;
  const counts = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };
  vendor.script = (_request, answer) => answer.json(reply({ ...counts, num_search_queries: held }));
  const honest = await chat(model);
  expect(honest.micros).toBe(30 + held * 5000);
  expect(honest.held_micros).toBeGreaterThanOrEqual(honest.micros + 400 - 20);
  vendor.script = (_request, answer) => answer.json(reply({ ...counts, num_search_queries: 900 }));
  expect(await chat(model)).toMatchObject({
    micros: 30 + most * 5000,
    loss_micros: (900 - most) * 5000,
    usage: `10/20/0/0 searches=${most}`,
  });
});

test("N18 searches that a model is not known for are believed once", async () => {
  const counts = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };
  const { key } = await gateway.customer(1_000_000_000);
  await gateway.control("POST", "/api/price", {
    model: "plain",
    ...metered,
    tool_micros: { web_search: 5000 },
  });
  await gateway.control(
    "POST",
    "/api/channel",
    vendor.channel({ name: "plain", models: ["plain"] }),
  );
  vendor.script = (_request, answer) => answer.json(reply({ ...counts, num_search_queries: 900 }));
  const body = { model: "plain", messages, max_tokens: 400 };
  const response = await gateway.post("/v1/chat/completions", body, key);
  const entry = await entryOf(gateway, response.headers.get("x-request-id") ?? "");
  expect(entry.micros).toBe(30 + 5000);
});
