// Responses over real HTTP, as bytes on the wire.
import { afterAll, describe, expect, test } from "bun:test";
import type { OpenAI } from "openai";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { startSandbox } from "../../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

type Reply = OpenAI.Responses.Response;

const question = "How do the old bridges of Venice stand?";
const user = (content: unknown) => ({ role: "user", content });

function post(body: object, path = "/v1/responses") {
  return fetch(`${sandbox.url}/openai${path}`, {
    method: "POST",
    headers: { authorization: "Bearer sk-sandbox-a" },
    body: JSON.stringify({ model: "sandbox-large", input: question, ...body }),
  });
}

async function respond(body: object = {}): Promise<Reply> {
  const response = await post(body);
  expect(response.status).toBe(200);
  return (await response.json()) as Reply;
}

async function textOf(body: object): Promise<string> {
  const { output } = await respond(body);
  const messages = output.filter((item) => item.type === "message");
  return messages
    .flatMap(({ content }) => content)
    .map((part) => (part.type === "output_text" ? part.text : ""))
    .join("");
}

describe("an answer", () => {
  test("has the shape that OpenAI gives it", async () => {
    const reply = await respond({ metadata: { team: "a" }, instructions: "Be brief." });
    expect(reply).toMatchObject({
      object: "response",
      status: "completed",
      model: "sandbox-large",
      error: null,
      incomplete_details: null,
      instructions: "Be brief.",
      metadata: { team: "a" },
      parallel_tool_calls: true,
      previous_response_id: null,
      store: true,
      text: { format: { type: "text" } },
      tool_choice: "auto",
      tools: [],
    });
    expect(reply.id).toStartWith("resp_");
    expect(reply.created_at).toBeInteger();
    expect(reply.output).toEqual([
      {
        type: "message",
        id: expect.stringMatching(/^msg_/),
        status: "completed",
        role: "assistant",
        content: [
          {
            type: "output_text",
            text: expect.stringContaining("bridges"),
            annotations: [],
            logprobs: [],
          },
        ],
      },
    ]);
  });

  test("is the same each time under another id", async () => {
    const [first, second] = [await respond(), await respond()];
    expect(await textOf({})).toBe(await textOf({}));
    expect(first.id).not.toBe(second.id);
  });

  test("counts its tokens by kind", async () => {
    const { usage } = await respond({ input: "x".repeat(400), reasoning: { effort: "low" } });
    expect(usage).toMatchObject({
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 16 },
    });
    expect(usage?.total_tokens).toBe(100 + (usage?.output_tokens ?? 0));
    expect(await respond({ input: "hi sandbox:no-usage" })).toMatchObject({ usage: null });
  });

  test("is incomplete at its limit of tokens", async () => {
    const reply = await respond({ max_output_tokens: 16 });
    expect(reply).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [{ type: "message", status: "incomplete" }],
      usage: { output_tokens: 16 },
    });
  });

  test("is incomplete when it was filtered", async () => {
    expect(await respond({ input: "hello sandbox:filter" })).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "content_filter" },
    });
  });

  test("obeys a status", async () => {
    for (const stream of [false, true]) {
      const response = await post({ input: "hello sandbox:status=503", stream });
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ error: { type: "server_error" } });
    }
  });
});

describe("a prompt", () => {
  test("may be a list of messages of any role, with and without a type", async () => {
    const input = [
      { role: "system", content: "Be kind." },
      { type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
      { role: "assistant", content: "Gladly." },
      { role: "assistant", content: [{ type: "output_text", text: "Yes.", annotations: [] }] },
      { role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
      user([
        { type: "input_text", text: "Compare volcanoes" },
        { type: "input_text", text: "and glaciers" },
      ]),
    ];
    expect(await textOf({ input })).toContain("volcanoes and glaciers");
  });

  test("may carry images and files, which the answer describes", async () => {
    const png = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0";
    const url = `data:image/png;base64,${Buffer.from(png, "latin1").toString("base64")}`;
    const pdf = "data:application/pdf;base64,JVBERi0xLjc=";
    const content = [
      { type: "input_text", text: "What is this?" },
      { type: "input_image", image_url: url, detail: "auto" },
      { type: "input_image", image_url: "https://example.com/cat.jpg" },
      { type: "input_image", file_id: "file-1" },
      { type: "input_file", filename: "a.pdf", file_data: pdf },
      { type: "input_file", file_url: "https://example.com/b.pdf" },
    ];
    const text = await textOf({ input: [user(content)] });
    expect(text).toContain("an image of type image/png, 3 by 2 pixels.");
    expect(text).toContain("an image at https://example.com/cat.jpg.");
    expect(text).toContain("the image file-1.");
    expect(text).toContain("a file named a.pdf: a document of type application/pdf, 8 bytes.");
    expect(text).toContain("a file named nothing at https://example.com/b.pdf.");
    const { usage } = await respond({ input: [user(content)] });
    expect(usage?.input_tokens).toBeGreaterThan(3 * 85);
  });

  test("takes its directives from the last user message only", async () => {
    const input = [user("sandbox:status=500"), { role: "assistant", content: "no" }, user("hi")];
    expect((await post({ input })).status).toBe(200);
  });
});

describe("structured output", () => {
  test("is an object when that is all that was asked", async () => {
    const text = await textOf({ text: { format: { type: "json_object" } } });
    expect(JSON.parse(text)).toEqual({ answer: expect.stringContaining("bridges") });
  });

  test("fits the schema", async () => {
    const schema = {
      type: "object",
      properties: { city: { type: "string" }, age: { type: "integer", minimum: 100 } },
      required: ["city", "age"],
      additionalProperties: false,
    };
    const format = { type: "json_schema", name: "bridge", schema, strict: true };
    expect(JSON.parse(await textOf({ text: { format } }))).toEqual({ city: "Venice", age: 100 });
    expect(await respond({ text: { format } })).toMatchObject({ text: { format } });
  });
});

describe("reasoning", () => {
  const effort = { effort: "medium" };

  test("comes first, with nothing to read unless that was asked", async () => {
    const { output } = await respond({ reasoning: effort });
    expect(output).toMatchObject([{ type: "reasoning", summary: [] }, { type: "message" }]);
    expect(output[0]?.id).toStartWith("rs_");
    expect(output[0]).not.toHaveProperty("encrypted_content");
  });

  test("has a summary when asked, even without an effort", async () => {
    for (const reasoning of [{ ...effort, summary: "auto" }, { summary: "detailed" }]) {
      const [item] = (await respond({ reasoning })).output;
      expect(item).toMatchObject({
        type: "reasoning",
        summary: [{ type: "summary_text", text: expect.stringContaining("bridges") }],
      });
    }
  });

  test("is left out for no effort", async () => {
    for (const reasoning of [{ effort: "none" }, {}, null]) {
      const { output, usage } = await respond({ reasoning });
      expect(output.map(({ type }) => type)).toEqual(["message"]);
      expect(usage?.output_tokens_details.reasoning_tokens).toBe(0);
    }
  });

  test("is sealed when asked and taken back only as it was", async () => {
    const include = ["reasoning.encrypted_content"];
    const first = await respond({ reasoning: effort, include, store: false });
    const [item] = first.output;
    expect(item && Reflect.get(item, "encrypted_content")).toStartWith("gAAAAA");
    const again = (changed: object, key = "sk-sandbox-a") =>
      fetch(`${sandbox.url}/openai/v1/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({
          model: "m",
          store: false,
          input: [user(question), { ...item, ...changed }, ...first.output.slice(1), user("Go on")],
        }),
      });
    expect((await again({})).status).toBe(200);
    expect((await again({ id: undefined })).status).toBe(200);
    const refusals = [
      await again({ encrypted_content: "gAAAAAmadeup" }),
      await again({ id: "rs_other" }),
      await again({ encrypted_content: null }),
      await again({}, "sk-sandbox-b"),
    ];
    for (const refusal of refusals) {
      expect(refusal.status).toBe(400);
      expect(await refusal.json()).toMatchObject({ error: { code: "invalid_encrypted_content" } });
    }
    const plain = await again({ content: [{ type: "reasoning_text", text: "hm" }] });
    expect(plain.status).toBe(400);
  });

  test("that was stored is known by its id", async () => {
    const { output } = await respond({ reasoning: effort });
    const input = [user(question), ...output, user("Go on")];
    expect((await post({ input })).status).toBe(200);
    const [item, said] = output;
    const references = [item, said].map((kept) => ({ type: "item_reference", id: kept?.id }));
    expect((await post({ input: [...references, user("Go on")] })).status).toBe(200);
    const unknown = { type: "item_reference", id: "msg_unknown" };
    expect((await post({ input: [unknown, user("Go on")] })).status).toBe(400);
  });
});
