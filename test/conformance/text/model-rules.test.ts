// Fields that a model refuses are not sent to it, and what is left out is told; where the gateway's
// own knowledge is out of date, the vendor's words put it right.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { agentAsks } from "../../harness/clients/agents.ts";
import { dialects } from "../../harness/dialects.ts";
import { type Gateway, startGateway } from "../../harness/gateway.ts";
import { currentModels, strict } from "../../harness/strict-models.ts";
import { Vendor, type VendorRequest, type VendorScript } from "../../harness/vendor.ts";
import { answers, wires } from "../../harness/wires.ts";

setDefaultTimeout(60_000);

const vendors = Object.fromEntries(
  dialects.map((dialect) => [dialect, new Vendor(strict(dialect, "Yes."))]),
) as Record<Dialect, Vendor>;
let gateway: Gateway;

beforeAll(async () => {
  const channels = dialects.map((dialect) => {
    const names = [...currentModels[dialect], "unlisted", "gpt-9.9"];
    const mapping = Object.fromEntries(names.map((name) => [`${dialect}-${name}`, name]));
    return vendors[dialect].channel({
      name: dialect,
      models: Object.keys(mapping),
      model_mapping: mapping,
      ...wires[dialect].channel,
    });
  });
  // Another gateway has every wire.
  const names = { models: ["gateway-gpt-5.4"], model_mapping: { "gateway-gpt-5.4": "gpt-5.4" } };
  channels.push(vendors.responses.channel({ name: "gateway", type: "gateway", ...names }));
  gateway = await startGateway({
    config: JSON.stringify({
      channels,
      unpriced: "free",
      distribution: { failures_to_eject: 1_000_000 },
    }),
  });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  for (const vendor of Object.values(vendors)) vendor[Symbol.dispose]();
});

interface Outcome {
  status: number;
  ignored: string[];
  /** Requests that reached the vendor, in its order. */
  sent: VendorRequest["body"][];
}

async function send(dialect: Dialect, path: string, body: JsonObject): Promise<Outcome> {
  const { requests } = vendors[dialect];
  const before = requests.length;
  const response = await gateway.post(path, body);
  await response.text();
  const ignored = response.headers.get("x-sluice-ignored")?.split(/,\s*/) ?? [];
  return { status: response.status, ignored, sent: requests.slice(before).map(({ body }) => body) };
}

const user = [{ role: "user", content: "Hi." }];

function chat(dialect: Dialect, model: string, fields: JsonObject): Promise<Outcome> {
  return send(dialect, "/v1/chat/completions", {
    model: `${dialect}-${model}`,
    messages: user,
    ...fields,
  });
}

function messages(dialect: Dialect, model: string, fields: JsonObject): Promise<Outcome> {
  return send(dialect, "/v1/messages", {
    model: `${dialect}-${model}`,
    max_tokens: 4000,
    messages: user,
    ...fields,
  });
}

function responses(dialect: Dialect, model: string, fields: JsonObject): Promise<Outcome> {
  return send(dialect, "/v1/responses", { model: `${dialect}-${model}`, input: "Hi.", ...fields });
}

async function withScript<T>(
  dialect: Dialect,
  script: VendorScript,
  run: () => Promise<T>,
): Promise<T> {
  const vendor = vendors[dialect];
  const before = vendor.script;
  vendor.script = script;
  try {
    return await run();
  } finally {
    vendor.script = before;
  }
}

const both = { temperature: 0.3, top_p: 0.9 };

describe("sampling that a model does not take", () => {
  test.each(["claude-opus-4-1", "claude-sonnet-4-5", "claude-opus-4-6"])(
    "X-P10 is one of two on %s: the second is left out and told",
    async (model) => {
      for (const asked of [chat, messages, responses]) {
        const { status, ignored, sent } = await asked("messages", model, both);
        expect([status, sent.length]).toEqual([200, 1]);
        expect(sent[0]).toMatchObject({ temperature: 0.3 });
        expect(sent[0]).not.toHaveProperty("top_p");
        expect(ignored).toEqual(["top_p"]);
      }
      const alone = await messages("messages", model, { top_p: 0.9 });
      expect(alone.sent[0]).toMatchObject({ top_p: 0.9 });
      expect(alone.ignored).toEqual([]);
    },
  );

  test.each(["claude-opus-4-7", "claude-sonnet-5", "claude-opus-5-5"])(
    "X-P10 is all of it on %s, converted or as it came",
    async (model) => {
      for (const asked of [chat, messages, responses]) {
        const { status, ignored, sent } = await asked("messages", model, both);
        expect([status, sent.length]).toEqual([200, 1]);
        for (const name of ["temperature", "top_p"]) expect(sent[0]).not.toHaveProperty(name);
        expect(ignored).toEqual(["temperature", "top_p"]);
      }
      const { ignored } = await messages("messages", model, { top_k: 5 });
      expect(ignored).toEqual(["top_k"]);
    },
  );

  test.each(["o3", "gpt-5"])(
    "X-P10 is all of it on %s, on both of OpenAI's wires",
    async (model) => {
      for (const dialect of ["chat", "responses"] as const) {
        for (const asked of [chat, messages, responses]) {
          const { status, ignored, sent } = await asked(dialect, model, both);
          expect([status, sent.length]).toEqual([200, 1]);
          expect(ignored).toEqual(["temperature", "top_p"]);
        }
      }
      const penalties = { presence_penalty: 0, frequency_penalty: 0.5 };
      expect((await chat("chat", model, penalties)).ignored).toEqual(["frequency_penalty"]);
    },
  );

  test("X-P10 is none where the model takes it, and only what it takes while it reasons", async () => {
    for (const model of ["gpt-4.1", "gpt-5.1", "gpt-5.4"]) {
      const { ignored, sent } = await chat("chat", model, both);
      expect(sent[0]).toMatchObject(both);
      expect(ignored).toEqual([]);
    }
    const reasoning = await chat("chat", "gpt-5.1", { ...both, reasoning_effort: "low" });
    expect(reasoning).toMatchObject({ status: 200, ignored: ["temperature", "top_p"] });
    const thinking = { type: "enabled", budget_tokens: 2000 };
    const thought = await messages("messages", "claude-sonnet-4-0", { temperature: 0.3, thinking });
    expect(thought).toMatchObject({ status: 200, ignored: ["temperature"] });
    expect((await messages("messages", "claude-sonnet-4-0", both)).sent[0]).toMatchObject(both);
  });
});

const tools = [{ name: "Bash", input_schema: { type: "object", properties: {} } }];
const functions = [{ type: "function", function: { name: "Bash", parameters: {} } }];

describe("tools together with an effort", () => {
  test("X-P17 are sent without reasoning where chat refuses both, and that is told", async () => {
    const own = await chat("chat", "gpt-5.4", { tools: functions, reasoning_effort: "high" });
    expect(own).toMatchObject({ status: 200, ignored: ["reasoning_effort"] });
    expect(own.sent).toMatchObject([{ reasoning_effort: "none" }]);
    const converted = await messages("chat", "gpt-5.4", { tools, effort: "high" });
    expect(converted).toMatchObject({ status: 200, ignored: ["thinking"] });
    expect(converted.sent).toMatchObject([{ reasoning_effort: "none" }]);
  });

  test("X-P17 both reach a channel that has the responses wire", async () => {
    const { status, ignored, sent } = await messages("responses", "gpt-5.4", {
      tools,
      effort: "high",
    });
    expect([status, ignored]).toEqual([200, []]);
    expect(sent).toMatchObject([{ reasoning: { effort: "high" }, tools: [{ name: "Bash" }] }]);
  });

  test("X-P17 both go by the responses wire of a channel that has it beside chat", async () => {
    const { requests } = vendors.responses;
    const fields = { model: "gateway-gpt-5.4", messages: user, tools: functions };
    const post = async (rest: JsonObject) => {
      const response = await gateway.post("/v1/chat/completions", { ...fields, ...rest });
      expect(response.headers.get("x-sluice-ignored")).toBeNull();
      return { response, path: requests.at(-1)?.path, body: requests.at(-1)?.body };
    };
    const { response, path, body } = await post({ reasoning_effort: "high" });
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: "Yes." } }] });
    expect(path).toBe("/v1/responses");
    expect(body).toMatchObject({ reasoning: { effort: "high" }, tools: [{ name: "Bash" }] });
    expect((await post({ reasoning_effort: "none" })).path).toBe("/v1/chat/completions");
  });

  test("X-P17 both reach models that take them, and an effort without tools always does", async () => {
    const older = await chat("chat", "gpt-5.2", { tools: functions, reasoning_effort: "high" });
    expect(older).toMatchObject({ ignored: [], sent: [{ reasoning_effort: "high" }] });
    const alone = await chat("chat", "gpt-5.4", { reasoning_effort: "high" });
    expect(alone).toMatchObject({ ignored: [], sent: [{ reasoning_effort: "high" }] });
  });
});

describe("thinking that is left to the model", () => {
  test.each(["gpt-5.1", "gpt-5.2", "gpt-5.4"])("X-H19 is a default effort on %s", async (model) => {
    const fields = { thinking: { type: "adaptive" } };
    expect((await messages("chat", model, fields)).sent).toMatchObject([
      { reasoning_effort: "medium" },
    ]);
    expect((await messages("responses", model, fields)).sent).toMatchObject([
      { reasoning: { effort: "medium", summary: "auto" } },
    ]);
  });

  test("X-H19 is left out and told on a model that cannot reason", async () => {
    for (const dialect of ["chat", "responses"] as const) {
      const { status, ignored } = await messages(dialect, "gpt-4.1", {
        thinking: { type: "adaptive" },
      });
      expect([status, ignored]).toEqual([200, ["thinking"]]);
    }
  });

  test("X-H19 an effort that a model does not know is the next it knows", async () => {
    const told = async (dialect: Dialect, model: string, effort: string) =>
      (await messages(dialect, model, { effort })).sent[0];
    expect(await told("chat", "o3", "max")).toMatchObject({ reasoning_effort: "high" });
    expect(await told("chat", "gpt-5.1", "minimal")).toMatchObject({ reasoning_effort: "low" });
    expect(await told("responses", "gpt-5", "xhigh")).toMatchObject({
      reasoning: { effort: "high" },
    });
  });
});

describe("the agents", () => {
  const rows = Object.entries(agentAsks).flatMap(([agent, ask]) =>
    dialects.flatMap((dialect) =>
      currentModels[dialect].map((model) => [agent, dialect, model, ask] as const),
    ),
  );

  test.each(rows)("X-P17 X-P10 %s on %s works with %s", async (_agent, dialect, model, ask) => {
    for (const turn of ["first", "second"] as const) {
      const { path, body } = ask(`${dialect}-${model}`, turn);
      const { requests } = vendors[dialect];
      const before = requests.length;
      const response = await gateway.post(path, body);
      expect([await response.text(), response.status]).toEqual([
        expect.stringContaining("Yes."),
        200,
      ]);
      // Nothing had to be asked for twice.
      expect(requests.length - before).toBe(1);
    }
  });
});

describe("a rule that is out of date", () => {
  const unsupported = (param: string, message: string) => ({
    error: { message, type: "invalid_request_error", param, code: "unsupported_parameter" },
  });
  /** Refuses these one after the other, as long as they are sent. */
  const refusesEach =
    (dialect: Dialect, words: Record<string, string>): VendorScript =>
    (request, reply) => {
      const found = Object.keys(words).find((name) => request.text.includes(`"${name}"`));
      if (found === undefined) return answers(dialect, "Yes.")(request, reply);
      const message = words[found] ?? "";
      const isOpenai = dialect === "chat" || dialect === "responses";
      return reply.json(
        isOpenai ? unsupported(found, message) : wires[dialect].refusal(400, message),
        400,
      );
    };

  test("X-P18 T17 is put right by the vendor's words, one after the other, and told", async () => {
    const script = refusesEach("chat", {
      temperature: "Unsupported value: 'temperature' does not support 0.3 with this model.",
      top_p: "Unsupported parameter: 'top_p' is not supported with this model.",
      reasoning_effort: "Unrecognized request argument supplied: reasoning_effort",
    });
    await withScript("chat", script, async () => {
      const fields = { ...both, reasoning_effort: "high" };
      const { status, ignored, sent } = await chat("chat", "unlisted", fields);
      expect([status, sent.length]).toEqual([200, 4]);
      expect(ignored).toEqual(["temperature", "top_p", "reasoning_effort"]);
      const converted = await messages("chat", "unlisted", { ...both, effort: "high" });
      expect(converted.ignored).toEqual(["temperature", "top_p", "thinking"]);
    });
  });

  test.each([
    ["messages", "temperature", "`temperature` is deprecated for this model.", "temperature"],
    ["messages", "top_p", "`temperature` and `top_p` cannot both be specified.", "top_p"],
    ["messages", "effort", "This model does not support the effort parameter.", "reasoning_effort"],
    ["responses", "effort", "Unsupported parameter: 'reasoning.effort'.", "reasoning_effort"],
    ["content", "topP", 'Unknown name "topP" at generation_config: Cannot find field.', "top_p"],
    ["content", "thinkingConfig", "Thinking is not supported by this model.", "reasoning_effort"],
  ] as const)("X-P18 is put right on %s, for %s", async (dialect, name, message, told) => {
    await withScript(dialect, refusesEach(dialect, { [name]: message }), async () => {
      const fields = { ...both, reasoning_effort: "high" };
      const { status, ignored, sent } = await chat(dialect, "unlisted", fields);
      expect([status, sent.length, ignored]).toEqual([200, 2, [told]]);
    });
  });

  test("X-P18 X-H16 a model that reasons unasked and refuses tools is told not to reason", async () => {
    const message =
      "Function tools with reasoning_effort are not supported for gpt-9.9 in /v1/chat/completions.";
    const script: VendorScript = (request, reply) =>
      request.body["reasoning_effort"] === "none"
        ? answers("chat", "Yes.")(request, reply)
        : reply.json(unsupported("reasoning_effort", message), 400);
    await withScript("chat", script, async () => {
      const { status, ignored, sent } = await chat("chat", "unlisted", { tools: functions });
      expect([status, sent.length, ignored]).toEqual([200, 2, []]);
    });
  });

  test("X-P18 T17 is no excuse for a value that no model takes: the refusal is the client's", async () => {
    const message =
      "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 9.";
    const error = { message, type: "invalid_request_error", param: "temperature", code: null };
    const refuse: VendorScript = (_request, reply) => reply.json({ error }, 400);
    await withScript("chat", refuse, async () => {
      const { status, sent } = await chat("chat", "unlisted", { temperature: 9 });
      expect([status, sent.length]).toEqual([400, 1]);
    });
  });
});

describe("what else was refused", () => {
  test("X-P19 an end user's id past 64 characters is hashed, the same every time", async () => {
    const metadata = { user_id: `user_${"0123456789abcdef".repeat(6)}` };
    const ids = new Set<unknown>();
    for (let round = 0; round < 2; round++) {
      const { status, sent } = await messages("chat", "gpt-5.2", { metadata });
      expect(status).toBe(200);
      ids.add(sent[0]?.["user"]);
      const own = await messages("responses", "gpt-5.2", { metadata });
      ids.add(own.sent[0]?.["safety_identifier"]);
    }
    expect([...ids]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    const short = await messages("chat", "gpt-5.2", { metadata: { user_id: "u1" } });
    expect(short.sent[0]).toMatchObject({ user: "u1" });
  });

  test("X-T28 tools that come and go in the conversation are offered as they are at its end", async () => {
    const schema = { type: "object", properties: {} };
    const content = [
      {
        type: "tool_addition",
        tool: { type: "tool_definition", definition: { name: "Read", input_schema: schema } },
      },
      { type: "tool_addition", tool: { type: "tool_reference", name: "Bash" } },
      { type: "tool_removal", tool: { type: "tool_reference", name: "Old" } },
      { type: "text", text: "Go on." },
    ];
    const fields = {
      tools: [...tools, { name: "Old", input_schema: schema }],
      messages: [...user, { role: "assistant", content: "Yes." }, { role: "user", content }],
    };
    for (const [dialect, model] of [
      ["chat", "gpt-5.2"],
      ["responses", "gpt-5.2"],
      ["content", "gemini-3-pro-preview"],
    ] as const) {
      const { status, sent } = await messages(dialect, model, fields);
      expect(status).toBe(200);
      const offered = JSON.stringify(sent[0]?.["tools"]);
      expect([/"Bash"/, /"Read"/, /"Old"/].map((name) => name.test(offered))).toEqual([
        true,
        true,
        false,
      ]);
    }
    const native = await messages("messages", "claude-opus-4-7", fields);
    expect(native.sent[0]).toMatchObject({ messages: [{}, {}, { content }] });
  });

  test.each([...dialects])(
    "X-M22 instructions alone, or with an empty message, are taken on %s",
    async (dialect) => {
      const model = currentModels[dialect].at(-1) ?? "";
      const system = { role: "system", content: "Say hello." };
      const empty = { role: "user", content: "" };
      const outcomes = [
        await chat(dialect, model, { messages: [system] }),
        await chat(dialect, model, { messages: [system, empty] }),
        await responses(dialect, model, { instructions: "Say hello.", input: "" }),
        await responses(dialect, model, { instructions: "Say hello.", input: [empty] }),
        await responses(dialect, model, { input: [{ ...system, role: "developer" }] }),
        await messages(dialect, model, { system: "Say hello.", messages: [empty] }),
        await messages(dialect, model, { messages: [system] }),
      ];
      for (const { status, sent } of outcomes) {
        expect(status).toBe(200);
        expect(JSON.stringify(sent)).toContain("Say hello.");
      }
    },
  );
});
