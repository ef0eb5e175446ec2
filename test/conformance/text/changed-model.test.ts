// A conversation that one vendor's model began goes on with another's.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { startGateway } from "../../harness/gateway.ts";
import { strict } from "../../harness/strict-models.ts";
import { completion, Vendor, type VendorScript } from "../../harness/vendor.ts";
import { answers, wires } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const oddId = "functions.Bash:0";
const vendors = Object.fromEntries(
  dialects.map((dialect) => [dialect, kept(new Vendor(strict(dialect, "Yes.")))]),
) as Record<Dialect, Vendor>;
/** Its model gives calls ids that others do not take. */
const odd = kept(
  new Vendor((_request, reply) => {
    const call = { id: oddId, type: "function", function: { name: "Bash", arguments: "{}" } };
    const message = { role: "assistant", content: null, tool_calls: [call] };
    reply.json({
      ...completion(""),
      choices: [{ index: 0, message, finish_reason: "tool_calls" }],
    });
  }),
);

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [
        odd.channel({ name: "odd", models: ["odd"] }),
        ...dialects.map((dialect) =>
          vendors[dialect].channel({ name: dialect, models: [dialect], ...wires[dialect].channel }),
        ),
        vendors.content.channel({
          name: "resold",
          type: "openai",
          format: "content",
          models: ["resold"],
        }),
      ],
      unpriced: "free",
      distribution: { failures_to_eject: 1_000_000 },
    }),
  }),
);

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

const tools = [{ name: "Bash", schema: { type: "object", properties: {} } }];

/** Request to the vendor after a client of this format had a call of the odd one's. */
async function goOn(client: Dialect, dialect: Dialect): Promise<JsonObject> {
  const { path, body, next } = clients[client];
  const asked = body({ model: "odd", prompt: "List.", tools }, false);
  const response = await gateway.post(path("odd", false), asked);
  expect(response.status).toBe(200);
  const reply = (await response.json()) as JsonObject;
  const history = { ...next(asked, reply, ["a.txt"]) };
  if ("model" in history) history["model"] = dialect;
  const later = await gateway.post(path(dialect, false), history);
  expect([client, dialect, later.status]).toEqual([client, dialect, 200]);
  await later.text();
  return vendors[dialect].requests.at(-1)?.body as JsonObject;
}

describe("an id of a call that the next vendor does not take", () => {
  test.each([...dialects])("X-T27 has an alias for Claude, from a client of %s", async (client) => {
    const sent = JSON.stringify(await goOn(client, "messages"));
    const ids = [...sent.matchAll(/"(?:id|tool_use_id)":"([^"]+)"/g)].map(([, id]) => id);
    // The call and its result have the same, which every time is the same.
    expect(ids).toEqual(["functions_Bash_0_a97d15071f", "functions_Bash_0_a97d15071f"]);
  });

  test.each([...dialects])("X-T27 stays as it is where it is taken, from %s", async (client) => {
    for (const dialect of ["chat", "responses"] as const) {
      const sent = JSON.stringify(await goOn(client, dialect));
      expect(sent.split(`"${oddId}"`)).toHaveLength(3);
    }
  });

  test.each([
    ["chat", "Tool call id was functions.Bash:0 but must be a-z, A-Z, 0-9, with a length of 9."],
    ["chat", "Invalid 'messages[1].tool_calls[0].id': string too long. Expected maximum length 9."],
    ["responses", "Invalid 'input[1].call_id': string too long. Expected maximum length 9."],
  ] as const)("X-T27 has one too where only %s says so: %s", async (dialect, message) => {
    const script: VendorScript = (request, reply) =>
      request.text.includes(oddId)
        ? reply.json(wires[dialect].refusal(400, message), 400)
        : answers(dialect, "Yes.")(request, reply);
    await withScript(dialect, script, async () => {
      const sent = JSON.stringify(await goOn("messages", dialect));
      const ids = [...sent.matchAll(/"(?:id|tool_call_id|call_id)":"([^"]+)"/g)];
      expect(new Set(ids.map(([, id]) => id)).size).toBe(1);
      expect(ids[0]?.[1]).toMatch(/^[a-z0-9]{9}$/);
    });
  });

  test("X-T07 X-T27 the client sees its own again, should the vendor name it", async () => {
    const input = { command: "ls" };
    const call = { type: "tool_use", id: "functions_Bash_0_a97d15071f", name: "Bash", input };
    const script: VendorScript = (_request, reply) =>
      reply.json({ ...wires.messages.reply("", { input: 1, output: 1 }), content: [call] });
    await withScript("messages", script, async () => {
      const called = { id: oddId, type: "function", function: { name: "Bash", arguments: "{}" } };
      const response = await gateway.post("/v1/chat/completions", {
        model: "messages",
        tools: [{ type: "function", function: { name: "Bash" } }],
        messages: [
          { role: "user", content: "List." },
          { role: "assistant", content: null, tool_calls: [called] },
          { role: "tool", tool_call_id: oddId, content: "a.txt" },
        ],
      });
      expect(await response.json()).toMatchObject({
        choices: [{ message: { tool_calls: [{ id: oddId }] } }],
      });
    });
  });
});

describe("a thought signature that Google did not make", () => {
  const contents = [
    { role: "user", parts: [{ text: "List." }] },
    {
      role: "model",
      parts: [
        { text: "Hm.", thought: true, thoughtSignature: "Zm9yZWlnbg==" },
        { functionCall: { name: "Bash", args: {} }, thoughtSignature: "Zm9yZWlnbg==" },
      ],
    },
    { role: "user", parts: [{ functionResponse: { name: "Bash", response: { output: "a" } } }] },
  ];

  test.each([
    "Thought signature is not valid.",
    "Corrupted thought signature.",
    "Invalid thought_signature in functionCall parts.",
    "Invalid value at 'contents[1].parts[0].thought_signature' (TYPE_BYTES), Base64 decoding failed",
  ])("X-H20 is asked again without it, when Google says: %s", async (message) => {
    const script: VendorScript = (request, reply) =>
      request.text.includes("Zm9yZWlnbg")
        ? reply.json(wires.content.refusal(400, message), 400)
        : answers("content", "Yes.")(request, reply);
    await withScript("content", script, async () => {
      for (const model of ["content", "resold"]) {
        const path = `/v1beta/models/${model}:generateContent`;
        const response = await gateway.post(path, { contents });
        expect([model, response.status]).toEqual([model, 200]);
        expect(vendors.content.requests.at(-1)?.body["contents"]).toEqual([
          contents[0],
          {
            role: "model",
            parts: [
              {
                functionCall: { name: "Bash", args: {} },
                thoughtSignature: "skip_thought_signature_validator",
              },
            ],
          },
          contents[2],
        ]);
      }
    });
  });
});

describe("thinking that another vendor's model did, or did not do", () => {
  test("X-H03 is taken away on responses where it cannot be read", async () => {
    const script: VendorScript = (request, reply) => {
      if (!request.text.includes("gAAA")) return answers("responses", "Yes.")(request, reply);
      const message = "The encrypted content gAAA could not be verified.";
      const code = "invalid_encrypted_content";
      return reply.json({ error: { message, type: "invalid_request_error", code } }, 400);
    };
    await withScript("responses", script, async () => {
      const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA" };
      const called = { type: "function_call", call_id: "c", name: "Bash", arguments: "{}" };
      const result = { type: "function_call_output", call_id: "c", output: "a" };
      const user = { role: "user", content: "List." };
      const input = [user, thought, { ...called, id: "fc_1" }, result];
      const response = await gateway.post("/v1/responses", { model: "responses", input });
      expect(response.status).toBe(200);
      expect(vendors.responses.requests.at(-1)?.body["input"]).toEqual([user, called, result]);
    });
  });

  test("X-H03 X-P18 is not asked for in an answer that was begun without", async () => {
    const message =
      "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.";
    const script: VendorScript = (request, reply) =>
      "thinking" in request.body
        ? reply.json(wires.messages.refusal(400, message), 400)
        : answers("messages", "Yes.")(request, reply);
    await withScript("messages", script, async () => {
      const { body, next } = clients.messages;
      const asked = body({ model: "odd", prompt: "List.", tools }, false);
      const reply = (await (await gateway.post("/v1/messages", asked)).json()) as JsonObject;
      const response = await gateway.post("/v1/messages", {
        ...next(asked, reply, ["a.txt"]),
        model: "messages",
        thinking: { type: "enabled", budget_tokens: 2000 },
      });
      expect(response.status).toBe(200);
      expect(response.headers.get("x-sluice-ignored")).toBe("thinking");
    });
  });
});

describe("a native responses channel", () => {
  test("X-T29 gets no ids of calls that are not its own, and keeps those that are", async () => {
    const calls = [
      { type: "function_call", id: "call_1", call_id: "call_1", name: "Bash", arguments: "{}" },
      { type: "function_call_output", call_id: "call_1", output: "a" },
      { type: "function_call", id: "fc_2", call_id: "call_2", name: "Bash", arguments: "{}" },
      { type: "function_call_output", call_id: "call_2", output: "b" },
    ];
    const input = [{ role: "user", content: "List." }, ...calls];
    const response = await gateway.post("/v1/responses", { model: "responses", input });
    expect(response.status).toBe(200);
    const sent = vendors.responses.requests.at(-1)?.body["input"] as JsonObject[];
    expect(sent.map(({ id }) => id)).toEqual([undefined, undefined, undefined, "fc_2", undefined]);
  });

  test("X-U25 is not asked for usage, which it always tells", async () => {
    for (const rest of [{}, { include_obfuscation: false }]) {
      const response = await gateway.post("/v1/responses", {
        model: "responses",
        input: "Hi.",
        stream: true,
        stream_options: { include_usage: true, ...rest },
      });
      expect([await response.text(), response.status]).toEqual([
        expect.stringContaining('"input_tokens":10'),
        200,
      ]);
      const options = vendors.responses.requests.at(-1)?.body["stream_options"];
      expect(options).toEqual(Object.keys(rest).length === 0 ? undefined : rest);
    }
  });
});
