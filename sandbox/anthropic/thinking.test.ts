// Thinking over real HTTP: what is signed here comes back, and nothing else does.
import { afterAll, describe, expect, test } from "bun:test";
import type { Anthropic } from "@anthropic-ai/sdk";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const adaptive = { type: "adaptive" };
const enabled = { type: "enabled", budget_tokens: 1024 };
const look = { name: "look", input_schema: { type: "object" } };
const question = { role: "user", content: "Tell me of rivers" };
const redactionPrompt =
  "ANTHROPIC_MAGIC_STRING_TRIGGER_REDACTED_THINKING_46C9A13E193C177646C7398A98432ECCCE4C1253D5E2D8" +
  "2641AC0E52CC2876CB";

function post(body: object) {
  return fetch(`${sandbox.url}/anthropic/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": "sk-sandbox-a", "anthropic-version": "2023-06-01" },
    body: JSON.stringify({ model: "m", max_tokens: 2000, messages: [question], ...body }),
  });
}

async function answerTo(body: object): Promise<Anthropic.Message> {
  const response = await post(body);
  expect(response.status).toBe(200);
  return (await response.json()) as Anthropic.Message;
}

async function refusalOf(body: object): Promise<string> {
  const response = await post(body);
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { message: string } };
  return error.message;
}

function typesOf({ content }: Anthropic.Message): string[] {
  return content.map(({ type }) => type);
}

async function thoughtOf(body: object) {
  const [block] = (await answerTo(body)).content;
  if (block?.type !== "thinking") throw new Error("no thinking");
  return block;
}

describe("thinking", () => {
  test("is off unless asked for", async () => {
    expect(typesOf(await answerTo({}))).toEqual(["text"]);
    expect(typesOf(await answerTo({ thinking: { type: "disabled" } }))).toEqual(["text"]);
  });

  test.each([adaptive, enabled])("comes signed before the answer: %p", async (thinking) => {
    const answer = await answerTo({ thinking });
    expect(typesOf(answer)).toEqual(["thinking", "text"]);
    const [block] = answer.content;
    expect(block).toMatchObject({ type: "thinking", thinking: expect.stringContaining("rivers") });
    const tokens = answer.usage.output_tokens_details?.thinking_tokens ?? 0;
    expect(tokens).toBeGreaterThan(10);
    expect(answer.usage.output_tokens).toBeGreaterThan(tokens);
  });

  test("comes before tool calls as well", async () => {
    const answer = await answerTo({ thinking: adaptive, tools: [look] });
    expect(typesOf(answer)).toEqual(["thinking", "tool_use"]);
  });

  test("grows with the effort", async () => {
    const length = async (effort: string): Promise<number> =>
      (await thoughtOf({ thinking: adaptive, output_config: { effort } })).thinking.length;
    expect(await length("low")).toBeLessThan(await length("medium"));
    expect(await length("medium")).toBeLessThan(await length("max"));
  });

  test("leaves half of a tight limit to the answer", async () => {
    const answer = await answerTo({ thinking: adaptive, max_tokens: 20 });
    expect(typesOf(answer)).toEqual(["thinking", "text"]);
    expect(answer.usage.output_tokens).toBe(20);
    expect(answer.stop_reason).toBe("max_tokens");
  });

  test("may be kept back: then only its signature comes", async () => {
    const block = await thoughtOf({ thinking: { ...adaptive, display: "omitted" } });
    expect(block.thinking).toBe("");
    expect(block.signature.length).toBeGreaterThan(20);
  });

  test("is encrypted for the prompt that asks for it", async () => {
    const messages = [{ role: "user", content: redactionPrompt }];
    const answer = await answerTo({ thinking: adaptive, messages });
    expect(typesOf(answer)).toEqual(["redacted_thinking", "text"]);
    const turns = [...messages, { role: "assistant", content: answer.content }, question];
    expect((await post({ messages: turns })).status).toBe(200);
  });

  test("between tools comes only after their results", async () => {
    const thinking = { type: "between_tools" };
    const answer = await answerTo({ thinking, tools: [look] });
    expect(typesOf(answer)).toEqual(["tool_use"]);
    const id = answer.content[0]?.type === "tool_use" ? answer.content[0].id : "";
    const results = [{ type: "tool_result", tool_use_id: id, content: "seen" }];
    const messages = [
      question,
      { role: "assistant", content: answer.content },
      { role: "user", content: results },
    ];
    const next = await answerTo({ thinking, tools: [look], messages });
    expect(typesOf(next)).toEqual(["thinking", "text"]);
  });
});

describe("thinking that comes back", () => {
  const turnsWith = (block: object) => [
    question,
    { role: "assistant", content: [block, { type: "text", text: "They flow." }] },
    question,
  ];

  test.each([adaptive, { ...adaptive, display: "omitted" }])(
    "is taken with its own signature",
    async (thinking) => {
      const block = await thoughtOf({ thinking });
      expect((await post({ thinking, messages: turnsWith(block) })).status).toBe(200);
    },
  );

  test("is refused when the text or the signature is another", async () => {
    const block = await thoughtOf({ thinking: adaptive });
    const message = "messages.1.content.0: Invalid `signature` in `thinking` block";
    for (const change of [{ thinking: "I never thought so." }, { signature: "c2ln" }]) {
      expect(await refusalOf({ messages: turnsWith({ ...block, ...change }) })).toBe(message);
    }
  });

  test("is refused when it was encrypted elsewhere", async () => {
    const block = { type: "redacted_thinking", data: "eHg=" };
    expect(await refusalOf({ messages: turnsWith(block) })).toContain("Invalid `data`");
  });

  test("may not be left out while a turn with a budget waits for its tools", async () => {
    const { content } = await answerTo({ thinking: enabled, tools: [look] });
    const [thought, call] = content;
    const id = call?.type === "tool_use" ? call.id : "";
    const results = [{ type: "tool_result", tool_use_id: id, content: "seen" }];
    const turns = (blocks: unknown[]) => [
      question,
      { role: "assistant", content: blocks },
      { role: "user", content: results },
    ];
    const whole = turns([thought, call]);
    const bare = turns([call]);
    expect((await post({ thinking: enabled, tools: [look], messages: whole })).status).toBe(200);
    expect((await post({ thinking: adaptive, tools: [look], messages: bare })).status).toBe(200);
    expect(await refusalOf({ thinking: enabled, tools: [look], messages: bare })).toStartWith(
      "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`",
    );
  });
});
