// Addresses on Vertex by location, project and wire, and the bodies that differ there.
import { describe, expect, test } from "bun:test";
import { accountFile } from "../../../test/harness/clouds/google-account.ts";
import type { Target, TextAsk } from "../upstream.ts";
import { vertex } from "./index.ts";

const target: Target = {
  baseUrl: "https://aiplatform.googleapis.com",
  key: accountFile("https://sandbox.test"),
  headers: {},
};
const ask: TextAsk = {
  format: "content",
  action: "generate",
  model: "gemini-3-pro",
  stream: false,
  wireHeaders: {},
};
const below = "projects/sandbox-project/locations";

function addressOf(part: Partial<TextAsk> = {}, aim: Partial<Target> = {}) {
  return vertex.text?.address({ ...ask, ...part }, { ...target, ...aim }) ?? null;
}

function bodyOf(part: Partial<TextAsk>, body: object) {
  return vertex.text?.adjust?.({ ...body }, { ...ask, ...part }, target.baseUrl);
}

describe("the host", () => {
  test.each([
    ["aiplatform.googleapis.com", undefined, "aiplatform.googleapis.com", "global"],
    ["aiplatform.googleapis.com", "us-east5", "us-east5-aiplatform.googleapis.com", "us-east5"],
    ["aiplatform.googleapis.com", "eu", "aiplatform.eu.rep.googleapis.com", "eu"],
    [
      "us-east5-aiplatform.googleapis.com",
      undefined,
      "us-east5-aiplatform.googleapis.com",
      "us-east5",
    ],
    ["us-east5-aiplatform.googleapis.com", "global", "aiplatform.googleapis.com", "global"],
    ["aiplatform.us.rep.googleapis.com", undefined, "aiplatform.us.rep.googleapis.com", "us"],
    ["proxy.test", "europe-west1", "proxy.test", "europe-west1"],
  ])("%s with the location %s is %s", (host, location, expected, place) => {
    const vendor = location === undefined ? {} : { location };
    expect(addressOf({}, { baseUrl: `https://${host}`, vendor })?.url).toBe(
      `https://${expected}/v1beta1/${below}/${place}/publishers/google/models/gemini-3-pro:generateContent`,
    );
  });

  test.each(["", "/", "/v1", "/v1beta1/", "/v1/projects/pasted/locations/eu/publishers/google"])(
    "is the same when the base URL ends with '%s'",
    (end) => {
      const url = addressOf({}, { baseUrl: `https://proxy.test/deep${end}` })?.url ?? "";
      expect(url).toStartWith("https://proxy.test/deep/v1beta1/projects/");
      expect(url.includes("/projects/pasted/locations/eu/")).toBe(end.includes("pasted"));
    },
  );
});

describe("the address", () => {
  const at = `https://aiplatform.googleapis.com/v1beta1/${below}/global/publishers/google/models`;

  test("names the model and what is wanted of it", () => {
    expect(addressOf({ stream: true })?.url).toBe(
      `${at}/gemini-3-pro:streamGenerateContent?alt=sse`,
    );
    expect(addressOf({ action: "count" })?.url).toBe(`${at}/gemini-3-pro:countTokens`);
    expect(addressOf({ action: "compact" })).toBeNull();
    expect(addressOf({ format: "predict", model: "text-embedding-005" })?.url).toBe(
      `${at}/text-embedding-005:predict`,
    );
    expect(addressOf({ format: "predict", model: "gemini-embedding-2" })?.url).toBe(
      `${at}/gemini-embedding-2:embedContent`,
    );
  });

  test("is that of an endpoint for a tuned model, and none for a name that leads elsewhere", () => {
    expect(addressOf({ model: "endpoints/123" })?.url).toBe(
      `https://aiplatform.googleapis.com/v1beta1/${below}/global/endpoints/123:generateContent`,
    );
    expect(addressOf({ model: ".." })).toBeNull();
    expect(addressOf({ model: "endpoints/../../x" })).toBeNull();
  });

  test("of Claude has no header for the version, and only betas that are known there", () => {
    const wireHeaders = {
      "Anthropic-Version": "2023-06-01",
      "anthropic-beta": "context-1m-2025-08-07, made-up-2026-01-01,advanced-tool-use-2025-11-20",
    };
    const model = "claude-sonnet-4-5@20250929";
    const claude = addressOf({ format: "messages", model, stream: true, wireHeaders });
    expect(claude?.url).toBe(
      `https://aiplatform.googleapis.com/v1/${below}/global/publishers/anthropic/models/claude-sonnet-4-5%4020250929:streamRawPredict`,
    );
    expect(claude?.headers).toEqual({
      "anthropic-beta": "context-1m-2025-08-07,tool-search-tool-2025-10-19",
    });
    expect(addressOf({ format: "messages", action: "count", model })?.url).toEndWith(
      "/publishers/anthropic/models/count-tokens:rawPredict",
    );
  });

  test("of open models is the one of OpenAI's wire", () => {
    expect(addressOf({ format: "chat", model: "meta/llama" })?.url).toBe(
      `https://aiplatform.googleapis.com/v1/${below}/global/endpoints/openapi/chat/completions`,
    );
  });
});

describe("the credential", () => {
  test("is exchanged where it is an account, and stands in no header", () => {
    const address = addressOf();
    expect(address?.pass).toBeDefined();
    expect(address?.headers).toEqual({});
  });

  test("is sent as it is in express mode, which has no project and no other publisher", () => {
    const express = { key: "express-key" };
    expect(addressOf({}, express)).toEqual({
      url: "https://aiplatform.googleapis.com/v1beta1/publishers/google/models/gemini-3-pro:generateContent",
      headers: { "x-goog-api-key": "express-key" },
      pass: undefined,
    });
    expect(addressOf({ format: "messages" }, express)).toBeNull();
    expect(addressOf({ format: "chat" }, express)).toBeNull();
  });

  test("of the machine needs a project that the channel names", () => {
    expect(addressOf({}, { key: "instance" })).toBeNull();
    const vendor = { project: "mine" };
    expect(addressOf({}, { key: "instance", vendor })?.url).toContain("/projects/mine/");
  });
});

describe("the body", () => {
  test("of Claude has its version and not its model, but for a count", () => {
    const said = { model: "m", messages: [], stream: true };
    expect(bodyOf({ format: "messages", model: "claude" }, said)).toEqual({
      anthropic_version: "vertex-2023-10-16",
      messages: [],
      stream: true,
    });
    const wireHeaders = { "anthropic-version": "2026-10-21" };
    expect(bodyOf({ format: "messages", wireHeaders }, said)).toMatchObject({
      anthropic_version: "2026-10-21",
    });
    expect(
      bodyOf(
        { format: "messages", action: "count", model: "claude" },
        { model: "m", messages: [] },
      ),
    ).toEqual({ anthropic_version: "vertex-2023-10-16", model: "claude", messages: [] });
  });

  test("of a count is the request itself", () => {
    const request = { contents: [], systemInstruction: {} };
    const wrapped = { generateContentRequest: { model: "models/m", ...request } };
    expect(bodyOf({ action: "count" }, wrapped)).toEqual(request);
    expect(bodyOf({ action: "count" }, request)).toEqual(request);
  });

  test("of an embedding is a content where the model is new", () => {
    const body = {
      instances: [{ content: "The sea.", task_type: "CLUSTERING" }],
      parameters: { outputDimensionality: 3 },
    };
    expect(bodyOf({ format: "predict", model: "gemini-embedding-001" }, body)).toEqual(body);
    expect(bodyOf({ format: "predict", model: "gemini-embedding-2" }, body)).toEqual({
      content: { parts: [{ text: "The sea." }] },
      embedContentConfig: { taskType: "CLUSTERING", outputDimensionality: 3 },
    });
  });
});
