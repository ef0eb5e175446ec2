// Addresses of a resource: those of a version without a date, those with one, and Anthropic's.
import { describe, expect, test } from "bun:test";
import type { VendorFields } from "../../core/pass/vendor-fields.ts";
import type { Target, TextAsk } from "../upstream.ts";
import { azureAddress, azureImages, azureModels, azureStored } from "./address.ts";

const resource = "https://res.openai.azure.com";
const dated = { api_version: "2024-10-21" };
const target = (vendor?: VendorFields, baseUrl = resource): Target => {
  return { baseUrl, key: "the-key", headers: {}, vendor };
};
const ask = (own: Partial<TextAsk> = {}): TextAsk => {
  const plain = { format: "chat", action: "generate", model: "dep.1", stream: false } as const;
  return { ...plain, wireHeaders: {}, ...own };
};

test.each<[TextAsk["format"], VendorFields | undefined, string]>([
  ["chat", undefined, "/openai/v1/chat/completions"],
  ["completions", undefined, "/openai/v1/completions"],
  ["embeddings", undefined, "/openai/v1/embeddings"],
  ["responses", undefined, "/openai/v1/responses"],
  ["chat", { api_version: "preview" }, "/openai/v1/chat/completions?api-version=preview"],
  ["chat", dated, "/openai/deployments/dep.1/chat/completions?api-version=2024-10-21"],
  ["embeddings", dated, "/openai/deployments/dep.1/embeddings?api-version=2024-10-21"],
  ["responses", dated, "/openai/responses?api-version=2024-10-21"],
])("%s with %p is at %s", (format, vendor, path) => {
  const address = azureAddress(ask({ format }), target(vendor));
  expect(address?.url).toBe(resource + path);
  expect(address?.headers).toEqual({ "api-key": "the-key" });
});

describe("Claude on Foundry", () => {
  test("is asked on Anthropic's wire with the key in its header", () => {
    const foundry = "https://res.services.ai.azure.com";
    const address = azureAddress(ask({ format: "messages" }), target(undefined, foundry));
    expect(address?.url).toBe(`${foundry}/anthropic/v1/messages`);
    const headers = { "anthropic-version": "2023-06-01", "x-api-key": "the-key" };
    expect(address?.headers).toEqual(headers);
  });
});

test.each(["", "/", "/openai", "/openai/v1", "/openai/v1/", "/anthropic", "/anthropic/v1"])(
  "a base URL may end with '%s'",
  (end) => {
    const address = azureAddress(ask(), target(undefined, resource + end));
    expect(address?.url).toBe(`${resource}/openai/v1/chat/completions`);
  },
);

test("a project of Foundry stays in front", () => {
  const project = "https://res.services.ai.azure.com/api/projects/p";
  const address = azureAddress(ask(), target(undefined, `${project}/openai/v1`));
  expect(address?.url).toBe(`${project}/openai/v1/chat/completions`);
});

test("images, the list of models and stored responses have their addresses", () => {
  expect(azureImages(target(), "dep", "edit").url).toBe(`${resource}/openai/v1/images/edits`);
  expect(azureImages(target(dated), "d/e", "generate").url).toBe(
    `${resource}/openai/deployments/d%2Fe/images/generations?api-version=2024-10-21`,
  );
  expect(azureModels(target(dated)).url).toBe(`${resource}/openai/v1/models`);
  expect(azureStored("resp_1/input_items", target()).url).toBe(
    `${resource}/openai/v1/responses/resp_1/input_items`,
  );
  expect(() => azureStored("../files", target())).toThrow();
});

test("a dated version neither counts nor condenses", () => {
  const count = ask({ format: "responses", action: "count" });
  expect(azureAddress(count, target(dated))).toBeNull();
  expect(azureAddress(count, target())?.url).toBe(`${resource}/openai/v1/responses/input_tokens`);
  expect(azureAddress(ask({ action: "count" }), target())).toBeNull();
});

test.each(["identity", "workload", '{"tenant_id":"t","client_id":"c","client_secret":"s"}'])(
  "where the key is %s, none is in the headers",
  (key) => {
    const address = azureAddress(ask(), { ...target(), key });
    expect(address?.headers).toEqual({});
    expect(address?.pass?.name).toBe(
      "entra https://login.microsoftonline.com https://cognitiveservices.azure.com/.default",
    );
    const claude = azureAddress(ask({ format: "messages" }), { ...target(), key });
    expect(claude?.headers).not.toHaveProperty("x-api-key");
  },
);
