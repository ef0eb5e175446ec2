// Addresses of Bedrock, and what its requests carry.
import { describe, expect, test } from "bun:test";
import type { UpstreamDialect } from "../../formats/exchange.ts";
import type { Target, TextAsk } from "../upstream.ts";
import { bedrock } from "./index.ts";

const model = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
const ask: TextAsk = {
  format: "messages",
  action: "generate",
  model,
  stream: false,
  wireHeaders: {},
};
const runtime = "https://bedrock-runtime.eu-west-1.amazonaws.com";
const mantle = "https://bedrock-mantle.us-east-1.api.aws";
const target: Target = { baseUrl: runtime, key: "api-key", headers: {} };

function addressOf(asked: Partial<TextAsk> = {}, at: Partial<Target> = {}) {
  return bedrock.text?.address({ ...ask, ...asked }, { ...target, ...at }) ?? null;
}

test("each dialect has its formats", () => {
  const known: [UpstreamDialect | null, string[]][] = [
    [null, ["messages", "invokeEmbed"]],
    ["messages", ["messages", "invokeEmbed"]],
    ["converse", ["converse", "invokeEmbed"]],
    ["responses", ["responses"]],
  ];
  for (const [dialect, formats] of known) {
    expect(bedrock.text?.formats(dialect)).toEqual(formats as never);
  }
});

describe("the address of the runtime", () => {
  const at = `${runtime}/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0`;

  test("has the model in it, encoded, and what is done with it", () => {
    expect(addressOf()?.url).toBe(`${at}/invoke`);
    expect(addressOf({ stream: true })?.url).toBe(`${at}/invoke-with-response-stream`);
    expect(addressOf({ format: "converse" })?.url).toBe(`${at}/converse`);
    expect(addressOf({ format: "converse", stream: true })?.url).toBe(`${at}/converse-stream`);
  });

  test("takes an ARN for one name", () => {
    const arn = "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.a.b-v1:0";
    const name = "arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Ainference-profile%2Feu.a.b-v1%3A0";
    expect(addressOf({ model: arn })?.url).toBe(`${runtime}/model/${name}/invoke`);
  });

  test("is missing for a name that leads elsewhere, and for what is not done there", () => {
    expect(addressOf({ model: ".." })).toBeNull();
    expect(addressOf({ format: "converse", action: "compact" })).toBeNull();
  });
});

describe("the address of a count", () => {
  const arn = "arn:aws:bedrock:eu-west-1:1:";
  const plain = "anthropic.claude-sonnet-4-5-20250929-v1%3A0";

  test.each([
    [model, plain],
    [model.replace("us.", "us-gov."), plain],
    [model.replace("us.", ""), plain],
    [`${arn}inference-profile/${model}`, plain],
    [`${arn}application-inference-profile/a1`, null],
  ])("of %s has the model's own id", (named, name) => {
    const url = name && `${runtime}/model/${name}/count-tokens`;
    expect(addressOf({ action: "count", model: named })?.url ?? null).toBe(url);
  });

  test("is missing on Converse", () => {
    expect(addressOf({ action: "count", format: "converse" })).toBeNull();
  });
});

describe("the address of Mantle", () => {
  test.each([
    ["chat", mantle, `${mantle}/v1/chat/completions`],
    ["responses", `${mantle}/openai/v1`, `${mantle}/openai/v1/responses`],
    ["messages", mantle, `${mantle}/anthropic/v1/messages`],
    ["messages", `${mantle}/anthropic`, `${mantle}/anthropic/v1/messages`],
  ] as const)("of %s at %s is that of its wire", (format, baseUrl, url) => {
    expect(addressOf({ format }, { baseUrl })?.url).toBe(url);
  });

  test("sends the betas that it knows", () => {
    const wireHeaders = { "anthropic-beta": "claude-code-20250219,files-api-2025-04-14" };
    const headers = addressOf({ wireHeaders }, { baseUrl: mantle })?.headers;
    expect(headers).toMatchObject({ "anthropic-beta": "claude-code-20250219" });
  });
});

describe("the address of Claude Platform on AWS", () => {
  const baseUrl = "https://aws-external-anthropic.us-west-2.api.aws";
  const vendor = { workspace: "wrkspc_1" };

  test("is that of Anthropic's wire, whole, with the workspace and the key in its headers", () => {
    const wireHeaders = { "anthropic-beta": "files-api-2025-04-14" };
    const address = addressOf({ wireHeaders }, { baseUrl, vendor });
    expect(address?.url).toBe(`${baseUrl}/v1/messages`);
    expect(address?.headers).toMatchObject({
      ...wireHeaders,
      "anthropic-workspace-id": "wrkspc_1",
      "x-api-key": "api-key",
    });
    expect(address?.headers).not.toHaveProperty("authorization");
    expect(addressOf({ action: "count" }, { baseUrl })?.url).toEndWith("/count_tokens");
  });

  test("is signed for its own service", () => {
    const { headers, pass } = addressOf({}, { baseUrl, vendor, key: "AKID:secret" }) ?? {};
    expect(pass?.name).toStartWith("aws aws-external-anthropic us-west-2");
    expect(headers).not.toHaveProperty("x-api-key");
  });

  test("is missing for other wires, and others are told no workspace", () => {
    expect(addressOf({ format: "chat" }, { baseUrl })).toBeNull();
    for (const other of [runtime, mantle]) {
      const headers = addressOf({}, { baseUrl: other, vendor })?.headers;
      expect(headers).not.toHaveProperty("anthropic-workspace-id");
    }
  });
});

describe("the key", () => {
  test("goes as a bearer where it is an API key", () => {
    for (const baseUrl of [runtime, mantle]) {
      const address = addressOf({}, { baseUrl });
      expect(address?.headers["authorization"]).toBe("Bearer api-key");
      expect(address?.pass).toBeUndefined();
    }
  });

  test.each([
    [runtime, {}, "aws bedrock eu-west-1"],
    [mantle, {}, "aws bedrock-mantle us-east-1"],
    ["http://127.0.0.1:1/bedrock", { region: "ap-south-1" }, "aws bedrock ap-south-1"],
    ["http://127.0.0.1:1/bedrock", {}, "aws bedrock us-east-1"],
  ])("of a pair at %s signs for the region", (baseUrl, vendor, name) => {
    const address = addressOf({}, { baseUrl, vendor, key: "AKID:secret" });
    expect(address?.headers).not.toHaveProperty("authorization");
    expect(address?.pass?.name).toStartWith(name);
  });
});

describe("the body of InvokeModel", () => {
  const messages = [{ role: "user", content: "Hi." }];
  const plain = { model, stream: true, max_tokens: 10, messages };
  const fit = (body: object, wireHeaders = {}) => {
    const copy = structuredClone({ ...plain, ...body });
    const asked = { ...ask, wireHeaders };
    const left = bedrock.text?.fit?.(copy, asked, runtime) ?? [];
    return {
      body: bedrock.text?.adjust?.(copy, asked, runtime),
      left: left.map(({ name }) => name),
    };
  };

  test("has version and betas, and neither model nor stream", () => {
    expect(fit({}).body).toEqual({
      anthropic_version: "bedrock-2023-05-31",
      max_tokens: 10,
      messages,
    });
    const beta = "effort-2025-11-24, interleaved-thinking-2025-05-14,advanced-tool-use-2025-11-20";
    const wire = { "Anthropic-Version": "2026-10-21", "anthropic-beta": beta };
    const { body, left } = fit({}, wire);
    expect(body).toMatchObject({
      anthropic_version: "2026-10-21",
      anthropic_beta: ["effort-2025-11-24", "tool-search-tool-2025-10-19"],
    });
    expect(left).toEqual(["anthropic-beta"]);
  });

  test("loses what the closed schema lacks, and tells it", () => {
    const { body, left } = fit({
      service_tier: "auto",
      diagnostics: {},
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
      context_management: { edits: [{ type: "clear_thinking_20251015" }] },
    });
    expect(Object.keys(body ?? {})).toEqual([
      "anthropic_version",
      "max_tokens",
      "messages",
      "tool_choice",
    ]);
    expect(left).toEqual([
      "service_tier",
      "diagnostics",
      "tool_choice.disable_parallel_tool_use",
      "context_management.edits",
    ]);
  });

  test("has no scope on the marks of a cached prompt, wherever they stand", () => {
    const marked = (scope: object) => ({ cache_control: { type: "ephemeral", ...scope } });
    const bodyOf = (scope: object) => ({
      system: [{ type: "text", text: "s", ...marked(scope) }],
      tools: [{ name: "a", input_schema: {}, ...marked(scope) }],
      messages: [
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "t",
              content: [{ type: "text", ...marked(scope) }],
            },
            { type: "document", source: { type: "content", content: [marked(scope)] } },
          ],
        },
      ],
    });
    const global = fit(bodyOf({ scope: "global", ttl: "1h" }));
    expect(global.body).toMatchObject(bodyOf({ ttl: "1h" }));
    expect(JSON.stringify(global.body)).not.toContain("scope");
    expect(global.left).toEqual(["cache_control.scope"]);
    expect(fit(bodyOf({ ttl: "1h" })).left).toEqual([]);
  });

  test("names old tools by the names that its schema knows", () => {
    const tools = [
      { type: "bash_20241022", name: "bash" },
      { type: "text_editor_20241022", name: "str_replace_editor" },
      { type: "text_editor_20250728", name: "str_replace_based_edit_tool" },
    ];
    const types = ["bash_20250124", "text_editor_20250124", "text_editor_20250728"];
    const named = tools.map((tool, at) => ({ ...tool, type: types[at] ?? "" }));
    expect(fit({ tools }).body).toMatchObject({ tools: named });
  });

  test("asks for streamed inputs by a beta", () => {
    const tool = { name: "a", input_schema: {}, eager_input_streaming: true };
    expect(fit({ tools: [tool] }).body).toMatchObject({
      tools: [{ name: "a", input_schema: {} }],
      anthropic_beta: ["fine-grained-tool-streaming-2025-05-14"],
    });
  });

  test.each([
    ["speed", { speed: "fast" }],
    ["mcp_servers", { mcp_servers: [{}] }],
    ["tools.0", { tools: [{ type: "web_search_20250305", name: "web_search" }] }],
    [
      "messages.0.content.0.source",
      {
        messages: [
          {
            role: "user",
            content: [{ type: "image", source: { type: "url", url: "https://a.test/b.png" } }],
          },
        ],
      },
    ],
  ])("cannot do without %s", (param, body) => {
    expect(() => fit(body)).toThrow(param);
  });
});

test("the list of models has profiles beside them, from the control host", async () => {
  const asked: string[] = [];
  const names = await bedrock.models?.({
    target,
    nowSeconds: 0,
    send({ address }) {
      asked.push(address.url);
      const json = address.url.includes("profiles")
        ? { inferenceProfileSummaries: [{ inferenceProfileId: "us.a.b" }] }
        : { modelSummaries: [{ modelId: address.url.includes("IMAGE") ? "a.drawer" : "a.b" }] };
      return Promise.resolve({ status: 200, headers: new Headers(), json });
    },
  });
  expect(names).toEqual(["a.b", "a.drawer", "us.a.b"]);
  const control = "https://bedrock.eu-west-1.amazonaws.com";
  expect(asked.every((url) => url.startsWith(`${control}/`))).toBe(true);
});
