import { expect, test } from "bun:test";
import { withoutRouting } from "./routing-fields.ts";

const plain = { model: "chatA", messages: [{ role: "user", content: "hi" }], temperature: 1 };

test("a body without routing is left as it is", () => {
  expect(withoutRouting(plain)).toBeNull();
  expect(
    withoutRouting({
      ...plain,
      metadata: { models: "mine" },
      extra_body: { google: { thinking_config: {} } },
    }),
  ).toBeNull();
});

test.each([
  [{ models: ["chatB"], route: "fallback" }, ["models", "route"]],
  [{ provider: { only: ["dear"] } }, ["provider"]],
  [{ fallbacks: "default" }, ["fallbacks"]],
  [{ extra_body: { models: ["chatB"] } }, ["extra_body.models"]],
  [{ fallback_models: ["chatB"] }, ["fallback_models"]],
  [
    { extra_body: { model: "chatB", max_tokens: 9, n: 2, tools: [], web_search: true } },
    ["model", "max_tokens", "n", "tools", "web_search"].map((name) => `extra_body.${name}`),
  ],
  [
    { extraBody: { extra_body: { service_tier: "priority" } } },
    ["extraBody.extra_body.service_tier"],
  ],
  [{ providerOptions: { gateway: { models: ["b"] } } }, ["providerOptions.gateway"]],
  [
    { extra_body: { providerOptions: { gateway: { only: ["a"] } } } },
    ["extra_body.providerOptions.gateway"],
  ],
  [{ generation_config: { routing_config: {} } }, ["generation_config.routing_config"]],
])("what chooses another model goes and is named: %j", (fields, names) => {
  expect(withoutRouting({ ...plain, ...fields })).toEqual({ body: plain, ignored: names });
});

test("what stands beside it stays", () => {
  const body = { ...plain, providerOptions: { gateway: {}, openai: { store: false } } };
  expect(withoutRouting(body)?.body).toEqual({
    ...plain,
    providerOptions: { openai: { store: false } },
  });
});
