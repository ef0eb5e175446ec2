import { expect, test } from "bun:test";
import fc from "fast-check";
import { isEntityName, isLabelName, multiplierPpm, unixSeconds } from "./fields.ts";
import {
  apiKeyChecker,
  channelChecker,
  groupChecker,
  keyChecker,
  priceChecker,
} from "./entity-rules.ts";

const channel = {
  name: "main",
  type: "openai",
  base_url: "https://vendor.example",
  key: "sk-vendor",
  models: ["m"],
};

test("N11 a channel takes every field of its row", () => {
  const full = {
    ...channel,
    format: "chat",
    groups: ["default", "vip"],
    priority: -1,
    weight: 1000,
    model_mapping: { m: "vendor-m" },
    parameters: { set: { temperature: 0, list: [null, { a: true }] }, remove: ["user"] },
    headers: { "X-Team": "a b" },
    surcharges: { default: "refuse", hosted_tools: "price", cache_1h: "ignore" },
    drop_store: true,
    allow_private: false,
    status: "disabled",
    concurrency: 8,
  };
  expect(channelChecker.faults(full)).toEqual([]);
  expect(channelChecker.is(full)).toBe(true);
});

test("N11 a channel with a wrong field is refused at that field", () => {
  const wrong: [string, object][] = [
    ["type", { type: "nobody" }],
    ["format", { format: "completions" }],
    ["base_url", { base_url: "vendor.example" }],
    ["base_url", { base_url: "https://vendor.example/?a=1" }],
    ["base_url", { base_url: "http://169.254.169.254" }],
    ["base_url", { base_url: "https://{resource}.openai.azure.com" }],
    ["key", { key: "two words" }],
    ["key", { key: undefined }],
    ["keys", { keys: ["a"] }],
    ["models", { models: [] }],
    ["models", { models: ["m", "m"] }],
    ["weight", { weight: 0 }],
    ["weight", { weight: 1.5 }],
    ["headers.X-A", { headers: { "X-A": "a\r\nb" } }],
    ["headers.X A", { headers: { "X A": "a" } }],
    ["groups.0", { groups: ["a/b"] }],
    ["surcharges.speed", { surcharges: { speed: "free" } }],
    ["concurrency", { concurrency: 0 }],
  ];
  for (const [path, change] of wrong) {
    expect(channelChecker.is({ ...channel, ...change })).toBe(false);
    expect(channelChecker.faults({ ...channel, ...change })[0]?.path).toBe(path);
  }
});

test("N12 a key takes every field of its row, and only the file names account and text", () => {
  const full = {
    name: "k",
    group: "vip",
    quota_micros: 0,
    models: ["m"],
    expires_at: "2027-01-01T00:00:00+02:00",
    allow_ips: ["10.0.0.0/8", "::1", "2001:db8::/32"],
    requests_per_minute: 1,
    tokens_per_minute: 1,
    concurrency: 1,
  };
  expect(apiKeyChecker.faults(full)).toEqual([]);
  expect(keyChecker.faults({ ...full, account: "root", key: "sk-text" })).toEqual([]);
  expect(apiKeyChecker.is({ ...full, account: "root" })).toBe(false);
  expect(apiKeyChecker.is({ ...full, key: "sk-text" })).toBe(false);
});

test("N12 a key with a wrong field is refused at that field", () => {
  const wrong: [string, object][] = [
    ["quota_micros", { quota_micros: -1 }],
    ["quota_micros", { quota_micros: 0.5 }],
    ["expires_at", { expires_at: "2027-01-01" }],
    ["expires_at", { expires_at: "2027-02-30T00:00:00Z" }],
    ["expires_at", { expires_at: "2027-01-01T00:00:00" }],
    ["expires_at", { expires_at: -1 }],
    ["expires_at", { expires_at: null }],
    ["allow_ips.0", { allow_ips: ["10.0.0.0/33"] }],
    ["allow_ips.0", { allow_ips: ["10"] }],
    ["allow_ips.0", { allow_ips: ["::1/129"] }],
    ["requests_per_minute", { requests_per_minute: 0 }],
  ];
  for (const [path, change] of wrong) {
    expect(keyChecker.faults({ name: "k", ...change })[0]?.path).toBe(path);
  }
});

test("N18 a price takes every field of its row and whole amounts up to 10^12", () => {
  const full = {
    model: "m",
    input_micros_per_million: 1_000_000_000_000,
    output_micros_per_million: 0,
    cache_read_micros_per_million: 1,
    cache_write_micros_per_million: 1,
    image_micros: 1,
    second_micros: 1,
    call_micros: 1,
    rules: [
      { size: "1024x1024", quality: "high", image_micros: 2 },
      { resolution: "1080p", tier: "pro", second_micros: 3 },
    ],
  };
  expect(priceChecker.faults(full)).toEqual([]);
  for (const bad of [-1, 0.5, 1_000_000_000_001, "1"]) {
    expect(priceChecker.is({ model: "m", call_micros: bad })).toBe(false);
  }
  expect(priceChecker.is({ model: "m", rules: [{ size: "a", input_micros: 1 }] })).toBe(false);
});

test("a multiplier has at most six decimals and stays inside its bounds", () => {
  for (const good of [0, 0.000001, 1.1, 999.999999, 1000]) {
    expect(groupChecker.faults({ name: "g", multiplier: good })).toEqual([]);
  }
  for (const bad of [-0.1, 0.0000001, 1.1234567, 1000.000001, Number.NaN]) {
    expect(groupChecker.is({ name: "g", multiplier: bad })).toBe(false);
  }
});

test("a multiplier of six decimals becomes parts per million exactly", () => {
  expect(multiplierPpm(1.1)).toBe(1_100_000);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (ppm) => {
      const digits = String(ppm).padStart(7, "0");
      const multiplier = Number(`${digits.slice(0, -6)}.${digits.slice(-6)}`);
      expect(multiplierPpm(multiplier)).toBe(ppm);
      expect(groupChecker.is({ name: "g", multiplier })).toBe(true);
    }),
    { numRuns: 2000 },
  );
  expect(() => multiplierPpm(1.123_456_7)).toThrow();
});

test("a moment is unix seconds whichever way it was written", () => {
  expect(unixSeconds(1_800_000_000)).toBe(1_800_000_000);
  expect(unixSeconds("1970-01-01T00:01:00.900Z")).toBe(60);
  expect(unixSeconds("1970-01-01T01:00:00+01:00")).toBe(0);
});

test("names are 1 to 64 letters and digits of any script, inner spaces and a few signs", () => {
  const long = "x".repeat(64);
  const latin = ["a", "Team A.1_b-c", "Zoe's laptop", "CI (prod)", "R&D #2", "ä", long];
  for (const good of [...latin, "我的笔记本", "生产（备用）", "лаптоп", "لابتوب", "हिन्दी"]) {
    expect(isEntityName(good)).toBe(true);
  }
  for (const typed of ["Zoë’s laptop – CI", "“prod”…", "a‐b‑c—d", "l‘été"]) {
    expect([typed, isEntityName(typed), isLabelName(typed)]).toEqual([typed, true, true]);
  }
  for (const labelled of ["prod/api", "CI: nightly", "Really?!"]) {
    expect([labelled, isEntityName(labelled), isLabelName(labelled)]).toEqual([
      labelled,
      false,
      true,
    ]);
  }
  const signs = ["a,b", "a%b", 'a"b', "<b>", "a\\b", "a`b"];
  const unseen = ["a\n", "a\u0000", "a\u202eb", "a\u2066b", "a\u200bb", "a\u00a0b", "\u3164"];
  for (const bad of ["", " ", " a", "a ", "\u0301a", `${long}x`, ...signs, ...unseen]) {
    expect([bad, isEntityName(bad), isLabelName(bad)]).toEqual([bad, false, false]);
  }
});
