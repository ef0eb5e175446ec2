import { expect, test } from "bun:test";
import { channelChecker, priceChecker } from "./entity-rules.ts";

test("a price of tokens names both input and output, so that neither is free", () => {
  const faults = (amounts: object) =>
    priceChecker.faults({ model: "m", ...amounts }).map(({ path }) => path);
  expect(faults({ input_micros_per_million: 1 })).toEqual(["output_micros_per_million"]);
  expect(faults({ output_micros_per_million: 1 })).toEqual(["input_micros_per_million"]);
  expect(faults({ cache_read_micros_per_million: 1 })).toEqual([
    "input_micros_per_million",
    "output_micros_per_million",
  ]);
  expect(faults({ input_micros_per_million: 0, output_micros_per_million: 0 })).toEqual([]);
  expect(faults({ image_micros: 5 })).toEqual([]);
});

test("hazard H7 a channel sets no header that decides where a request goes or who sends it", () => {
  const faults = (name: string) =>
    channelChecker.faults({
      name: "c",
      type: "openai",
      base_url: "https://v.test",
      key: "k",
      models: ["m"],
      headers: { [name]: "x" },
    });
  for (const name of ["HOST", "Authorization", "x-forwarded-host", "Proxy-Authorization", "te"]) {
    expect(faults(name).map(({ path }) => path)).toEqual([`headers.${name}`]);
  }
  for (const name of ["x-team", "openai-organization", "user-agent"]) {
    expect(faults(name)).toEqual([]);
  }
});

test("N6 a key of Ark may have the registry's pair behind it, and no other key a second part", () => {
  const faults = (type: string, keys: object) =>
    channelChecker
      .faults({ name: "c", type, base_url: "https://v.test", models: ["m"], ...keys })
      .map(({ path }) => path);
  expect(faults("ark", { key: "bearer AK1:secret" })).toEqual([]);
  expect(faults("ark", { keys: ["bearer", "other AK1:sec:ret="] })).toEqual([]);
  for (const key of [
    "bearer AK1",
    "bearer :secret",
    "bearer AK1:",
    " AK1:secret",
    "a b c:d",
    "a ",
  ]) {
    expect([key, faults("ark", { key })]).toEqual([key, ["key"]]);
  }
  expect(faults("openai", { key: "bearer AK1:secret" })).toEqual(["key"]);
  expect(faults("kling", { keys: ["AK1:secret", "bearer AK1:secret"] })).toEqual(["keys.1"]);
});

test("a channel goes through an HTTP proxy, or speaks HTTP/2 to an address of https", () => {
  const faults = (fields: object) => {
    const channel = { name: "c", type: "openai", base_url: "https://v.test", key: "k" };
    return channelChecker.faults({ ...channel, models: ["m"], ...fields }).map(({ path }) => path);
  };
  for (const proxy of ["http://p.test:3128", "https://user:p%40ss@p.test", "http://10.0.0.1:1/"]) {
    expect(faults({ proxy })).toEqual([]);
    expect(faults({ proxy, http2: true })).toEqual(["http2"]);
  }
  for (const proxy of ["socks5://p.test", "p.test:1", "http://p.test/a", "http://p.test/?a=b"]) {
    expect(faults({ proxy })).toEqual(["proxy"]);
  }
  expect(faults({ http2: true })).toEqual([]);
  expect(faults({ http2: true, base_url: "http://v.test" })).toEqual(["http2"]);
});
