import { expect, test } from "bun:test";
import { readCredentials, registryUrl } from "./credentials.ts";

test("a key is a bearer, alone or before the registry's pair", () => {
  expect(readCredentials("ark-key")).toEqual({ bearer: "ark-key", pair: null });
  expect(readCredentials("ark-key AK1:a:b=")).toEqual({ bearer: "ark-key", pair: "AK1:a:b=" });
  for (const pair of ["AK1", ":secret", "AK1:", ""]) {
    expect(readCredentials(`ark-key ${pair}`)).toEqual({ bearer: "ark-key", pair: null });
  }
});

test.each([
  ["https://ark.cn-beijing.volces.com", "https://ark.cn-beijing.volcengineapi.com"],
  ["https://ark.cn-beijing.volces.com/api/v3", "https://ark.cn-beijing.volcengineapi.com"],
  ["https://ark.ap-southeast.bytepluses.com/api/v3/", "https://ark.ap-southeast-1.byteplusapi.com"],
  ["https://ark.ap-southeast-1.bytepluses.com", "https://ark.ap-southeast-1.byteplusapi.com"],
  ["http://127.0.0.1:8080/ark", "http://127.0.0.1:8080/ark/registry"],
  ["https://relay.example/ark/api/v3", "https://relay.example/ark/registry"],
  [
    "https://ark.cn-beijing.volces.com.evil.example",
    "https://ark.cn-beijing.volces.com.evil.example/registry",
  ],
])("the registry of %s is at %s", (baseUrl, registry) => {
  expect(registryUrl(baseUrl)).toBe(registry);
});
