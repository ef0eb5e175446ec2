// The list itself, as the package has it: that it can be read, and that what ships agrees with it.
import { afterAll, expect, test } from "bun:test";
import manifest from "../../../package.json" with { type: "json" };
import { systemClock, systemTimers } from "../../core/clock.ts";
import { Deadlines } from "../../core/deadline.ts";
import { noPrice, type ListedPrice } from "../model.ts";
import { catalogueModels } from "../models.ts";
import { listVersion, PriceList } from "./price-list.ts";

const deadlines = new Deadlines(systemClock, systemTimers);
const priceList = new PriceList(deadlines, () => Date.parse("2026-11-16T12:00:00Z"));

afterAll(() => deadlines.close());

test("its version is the one that is installed", () => {
  expect(manifest.dependencies["@pydantic/genai-prices"]).toBe(listVersion);
});

const makers: ReadonlyMap<string, string> = new Map([
  ["openai", "https://api.openai.com"],
  ["anthropic", "https://api.anthropic.com"],
  ["google", "https://generativelanguage.googleapis.com"],
]);

function amountsOf(price: ListedPrice | undefined) {
  const { inputMicrosPerMillion, outputMicrosPerMillion } = price ?? noPrice;
  const { cacheReadMicrosPerMillion, cacheWriteMicrosPerMillion } = price ?? noPrice;
  const tokens = { inputMicrosPerMillion, outputMicrosPerMillion };
  return { ...tokens, cacheReadMicrosPerMillion, cacheWriteMicrosPerMillion };
}

test("every model of text that ships under a maker's name costs what the list says", async () => {
  const shipped = [...catalogueModels.values()].filter(
    ({ kind, ownedBy }) => makers.has(ownedBy) && (kind === "text" || kind === "embedding"),
  );
  expect(shipped.length).toBeGreaterThan(10);
  const asks = shipped.map(({ id, ownedBy }) => ({
    name: id,
    address: makers.get(ownedBy) ?? "",
  }));
  const rows = await priceList.rows(asks);
  for (const [at, { id, price }] of shipped.entries()) {
    const listed = rows[at]?.price;
    expect({ id, ...amountsOf(price) }).toEqual({ id, ...amountsOf(listed) });
  }
});

const runtime = "https://bedrock-runtime.us-east-1.amazonaws.com";
const sonnet = "anthropic.claude-sonnet-4-5-20250929-v1:0";

test.each([
  [runtime, `us.${sonnet}`, "aws"],
  [runtime, `global.${sonnet}`, "aws"],
  [runtime, `arn:aws:bedrock:us-east-1:1:inference-profile/us.${sonnet}`, "aws"],
  ["https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com", `us-gov.${sonnet}`, "aws"],
  ["https://bedrock-runtime.us-east-1.api.aws", "amazon.nova-pro-v1:0", "aws"],
  ["https://bedrock-mantle.us-east-1.api.aws/v1", "openai.gpt-oss-120b-1:0", "aws"],
  ["https://bedrock-mantle.us-east-1.api.aws/anthropic", `us.${sonnet}`, "aws"],
  ["https://aws-external-anthropic.us-east-1.api.aws", "claude-sonnet-4-5", "anthropic"],
  ["https://mine.openai.azure.com", "gpt-5", "azure"],
  ["https://mine.services.ai.azure.com", "claude-sonnet-4-5", "azure"],
  ["https://mine.cognitiveservices.azure.com", "text-embedding-3-small", "azure"],
  ["https://us-east5-aiplatform.googleapis.com", "gemini-2.5-flash", "google"],
])("the cloud at %s has a price of its own for %s", async (address, name, vendor) => {
  const [row] = await priceList.rows([{ name, address }]);
  expect(row && [row.vendor, row.by]).toEqual([vendor, "address"]);
  expect(row?.price.inputMicrosPerMillion).toBeGreaterThan(0);
  expect((await priceList.vendorModels(address)).length).toBeGreaterThan(10);
});

test("a profile of one region costs more than the one of all", async () => {
  const names = [`us.${sonnet}`, `global.${sonnet}`];
  const rows = await priceList.rows(names.map((name) => ({ name, address: runtime })));
  const [regional = 0, everywhere = 0] = rows.map((row) => row?.price.inputMicrosPerMillion ?? 0);
  expect(regional).toBeGreaterThan(everywhere);
});

test("a later version has its own price, where the list has the earlier one's", async () => {
  const names = ["amazon.titan-embed-text-v1", "amazon.titan-embed-text-v2:0"];
  const rows = await priceList.rows(names.map((name) => ({ name, address: runtime })));
  expect(rows.map((row) => row?.price.inputMicrosPerMillion)).toEqual([100_000, 20_000]);
  expect(rows.map((row) => row?.kind)).toEqual(["embedding", "embedding"]);
});

test("a vendor's address leads to its own models, and an unknown one to the model's maker", async () => {
  const rows = await priceList.rows([
    { name: "llama-3.3-70b-versatile", address: "https://api.groq.com/openai/v1" },
    { name: "gpt-5", address: "https://relay.example" },
    { name: "gpt-5", address: "https://api.deepseek.com" },
  ]);
  expect(rows.map((row) => row && [row.vendor, row.by])).toEqual([
    ["groq", "address"],
    ["openai", "name"],
    null,
  ]);
  expect(await priceList.vendorModels("https://api.perplexity.ai")).toContain("sonar-pro");
});

test("the lowest price of a model is known, and that of all models", async () => {
  const { ofModel, ofAll } = await priceList.lowest("gpt-5");
  expect(ofModel).toEqual({ input: 1_250_000, output: 10_000_000 });
  expect(ofAll.input).toBeGreaterThan(0);
  expect(ofAll.input).toBeLessThan(50_000);
});

test("a dearer variant has its own price or none, and never the plain model's", async () => {
  const [openai, anthropic] = ["https://api.openai.com/v1", "https://api.anthropic.com"];
  const rows = await priceList.rows([
    { name: "claude-opus-4-6-fast", address: anthropic },
    { name: "gpt-4o-mini-search-preview", address: openai },
    { name: "gpt-4o-search-preview", address: openai },
    { name: "anthropic/claude-opus-4.6-fast", address: "https://openrouter.ai/api/v1" },
    { name: "grok-4-fast", address: "https://api.x.ai" },
    { name: "claude-opus-4-6-20260205", address: anthropic },
  ]);
  expect(rows.map((row) => row?.price.inputMicrosPerMillion ?? null)).toEqual([
    null,
    null,
    2_500_000,
    30_000_000,
    200_000,
    5_000_000,
  ]);
});

test("spoken input has its own price", async () => {
  const rows = await priceList.rows([
    { name: "gemini-2.5-flash", address: "https://generativelanguage.googleapis.com" },
    { name: "gpt-4o-audio-preview", address: "https://api.openai.com/v1" },
    { name: "gpt-5", address: "https://api.openai.com/v1" },
  ]);
  expect(rows.map((row) => row?.price.audioInputMicrosPerMillion)).toEqual([
    1_000_000,
    40_000_000,
    null,
  ]);
});
