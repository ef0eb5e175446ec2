import { expect, test } from "bun:test";
import type { JsonObject } from "../../../core/json.ts";
import { systemClock } from "../../../core/clock.ts";
import type { ChannelSettings } from "../../../distribution/channel.ts";
import { Affinity } from "../../../distribution/affinity.ts";
import { formats } from "../../../formats/index.ts";
import { presets } from "../../../upstreams/presets.ts";
import { plainTransport } from "../../../core/outbound.ts";
import type { ChannelId, RequestId } from "../../../core/ids.ts";
import { Channel } from "../../../distribution/channel.ts";
import { Disconnect } from "../../stream/read-on.ts";
import { planText } from "../plan-text.ts";
import { addCacheKey, takesCacheKey } from "./cache-key.ts";

const conversation = new Affinity({ clock: systemClock, isOn: true }).conversation("d".repeat(43));

function settingsOf(fields: Partial<ChannelSettings>): ChannelSettings {
  // Only these fields of a channel are asked.
  return { type: "openai", format: null, affinity: true, ...fields } as ChannelSettings;
}

test("of all vendors that are known by name OpenAI alone gets a key for its caches", () => {
  const taking = presets.filter(({ type, baseUrl }) =>
    takesCacheKey(settingsOf({ type, baseUrl }), formats.chat),
  );
  expect(taking.map(({ name }) => name)).toEqual(["openai"]);
});

test("it is given in the formats that have the field, where affinity is on", () => {
  const at = (baseUrl: string, affinity = true) => settingsOf({ baseUrl, affinity });
  const openai = "https://api.openai.com/v1";
  const speaking = { ...at(openai), format: "responses" } as const;
  expect(takesCacheKey(speaking, formats.responses)).toBe(true);
  expect(takesCacheKey(at(openai), formats.responses)).toBe(false);
  expect(takesCacheKey(at("https://eu.api.openai.com/v1"), formats.chat)).toBe(true);
  expect(takesCacheKey(at(openai), formats.messages)).toBe(false);
  expect(takesCacheKey(at(openai), formats.embeddings)).toBe(false);
  expect(takesCacheKey(at(openai, false), formats.chat)).toBe(false);
  expect(takesCacheKey(at("https://api.openai.com.example/v1"), formats.chat)).toBe(false);
});

test("a key of 32 characters is added, and the client's own stays", () => {
  const bare: JsonObject = { model: "m" };
  addCacheKey(bare, conversation);
  expect(bare).toEqual({ model: "m", prompt_cache_key: "d".repeat(32) });
  const named = { prompt_cache_key: "own" };
  addCacheKey(named, conversation);
  expect(named).toEqual({ prompt_cache_key: "own" });
});

test("the body for OpenAI has it, and that for another vendor is the client's own", () => {
  const body = { model: "m", messages: [{ role: "user", content: "Hello." }] };
  const { signal } = new AbortController();
  const sent = (baseUrl: string) => {
    const key = { position: 0, text: "sk", isEnabled: true };
    const settings = settingsOf({
      id: "chn_1" as ChannelId,
      baseUrl,
      modelMapping: {},
      parametersSet: {},
      parametersRemoved: [],
      headers: {},
      surcharges: {},
      transport: plainTransport,
      keys: [key],
    });
    const channel = new Channel(settings, { failuresToEject: 5, ejectionMs: 1, ejectionMsMax: 1 });
    const textTry = {
      format: formats.chat,
      request: formats.chat.read(body, null),
      body,
      scope: { requestId: "req_1" as RequestId, signal, startedAtMs: 0, hops: 0 },
      createdAtSeconds: 0,
      action: "generate" as const,
      wireHeaders: {},
      outputTokensMax: 100,
      bound: { inputTokensMax: 100, outputTokensMax: 100, mediaTokensMax: 0 },
      disconnect: new Disconnect(null, signal),
      content: null,
      priced: [],
      exchange: null,
      conversation,
      shownModel: null,
      wasted: null,
    };
    return planText(textTry, { channel, key }).body;
  };
  const cacheKey = { prompt_cache_key: "d".repeat(32) };
  expect(sent("https://api.openai.com/v1")).toMatchObject({ ...body, ...cacheKey });
  expect(sent("https://vendor.example/v1")).not.toHaveProperty("prompt_cache_key");
  expect(body).not.toHaveProperty("prompt_cache_key");
});
