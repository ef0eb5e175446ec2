// The sandbox's directives, seen through the gateway: what a client of the first run can rehearse.
import { beforeAll, describe, expect, test } from "bun:test";
import { errorOf } from "../harness/ask.ts";
import { balanceOf, eventually, logRow } from "../harness/books.ts";
import { readStream, type Streamed } from "../harness/event-stream.ts";
import { type Gateway, startGateway } from "../harness/gateway.ts";
import { useStand } from "../harness/nodes/stand.ts";

let customer: Awaited<ReturnType<Gateway["customer"]>>;

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      timeouts: { first_byte_ms: 2000, stall_ms: 2000 },
      distribution: { failures_to_eject: 1000 },
    }),
  }),
);

beforeAll(async () => {
  customer = await gateway.customer(100_000_000);
});

async function ask(content: string, fields: object = {}): Promise<Response> {
  const body = { model: "chatA", messages: [{ role: "user", content }], ...fields };
  return await gateway.post("/v1/chat/completions", body, customer.key);
}

async function askStream(content: string): Promise<Streamed & { response: Response }> {
  const response = await ask(content, { stream: true });
  expect(response.status).toBe(200);
  return { response, ...(await readStream(response)) };
}

interface Choice {
  finish_reason: string;
  message: { role: string; content: string };
}

async function choiceOf(response: Response): Promise<Choice> {
  expect(response.status).toBe(200);
  const { choices } = (await response.json()) as { choices: Choice[] };
  const [choice] = choices;
  if (!choice) throw new Error("the answer has no choice");
  return choice;
}

async function used(): Promise<number> {
  const { held_micros, used_micros } = await balanceOf(gateway, customer.id);
  expect(held_micros).toBe(0);
  return used_micros;
}

describe("without a directive", () => {
  test("N22 a chat succeeds, whole and streamed, and is billed by its usage", async () => {
    const before = await used();
    const response = await ask("Tell me about lighthouses.");
    const { usage, choices } = (await response.json()) as {
      usage: { prompt_tokens: number; completion_tokens: number };
      choices: Choice[];
    };
    expect(choices[0]?.message.content).toContain("lighthouses");
    expect(choices[0]?.finish_reason).toBe("stop");
    const row = await logRow(gateway, response);
    expect(row).toMatchObject({
      input_tokens: usage.prompt_tokens,
      output_tokens: usage.completion_tokens,
      estimated: false,
      channel: "sandbox",
    });
    expect((await used()) - before).toBe(row.micros);
    const { data } = await askStream("Tell me about lighthouses.");
    expect(data.at(-1)).toBe("[DONE]");
  });

  test("N22 the directive itself does not show in the answer", async () => {
    const { message } = await choiceOf(await ask("sandbox:delay=1ms Tell me about rivers."));
    expect(message.content).toContain("rivers");
    expect(message.content).not.toContain("sandbox");
  });
});

describe("refusals", () => {
  test.each([500, 502, 503])("N22 sandbox:status=%d is a 500 and costs nothing", async (status) => {
    const before = await used();
    const response = await ask(`sandbox:status=${status}`);
    expect(response.status).toBe(500);
    expect(await errorOf(response)).toMatchObject({ type: "server_error", code: "bad_response" });
    expect(await used()).toBe(before);
  });

  test.each([400, 422])("N22 sandbox:status=%d is the client's to read", async (status) => {
    const before = await used();
    const response = await ask(`sandbox:status=${status}`, { stream: true });
    expect(response.status).toBe(status);
    expect(await errorOf(response)).toMatchObject({ type: "invalid_request_error" });
    expect(await used()).toBe(before);
  });

  test("N22 sandbox:status=429 is a 429 that passes", async () => {
    const response = await ask("sandbox:status=429");
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(await errorOf(response)).toMatchObject({
      type: "rate_limit_error",
      code: "too_many_requests",
    });
    // The sandbox's one key rests for the second it was told.
    await eventually("an answer", async () => {
      const again = await ask("Hello?");
      await again.text();
      return again.ok ? again : undefined;
    });
  });
});

describe("slow and broken answers", () => {
  test("N22 sandbox:delay within the gateway's patience is served", async () => {
    expect((await choiceOf(await ask("sandbox:delay=50ms Rivers."))).finish_reason).toBe("stop");
  });

  test.each(["sandbox:delay=10s", "sandbox:stall"])(
    "N22 a whole answer with %s runs out of time and costs nothing",
    async (directive) => {
      const before = await used();
      const response = await ask(directive);
      expect(response.status).toBe(500);
      expect(await errorOf(response)).toMatchObject({ code: "do_request_failed" });
      expect(await used()).toBe(before);
    },
  );

  test.each([
    ["sandbox:cut", "do_request_failed"],
    ["sandbox:garbage", "bad_response_body"],
  ])("N22 a whole answer with %s is a 500 and costs nothing", async (directive, code) => {
    const before = await used();
    const response = await ask(directive);
    expect(response.status).toBe(500);
    expect(await errorOf(response)).toMatchObject({ type: "server_error", code });
    expect(await used()).toBe(before);
  });

  test.each(["sandbox:stall", "sandbox:cut", "sandbox:garbage", "sandbox:error-after=5"])(
    "N22 a stream with %s begins, ends with an error event, and is billed for its part",
    async (directive) => {
      const before = await used();
      const { response, chunks, data } = await askStream(`${directive} Tell me about rivers.`);
      expect(chunks[0]).toMatchObject({ choices: [{ delta: { role: "assistant" } }] });
      expect(chunks.at(-1)).toMatchObject({ error: { type: "server_error", param: null } });
      expect(data).not.toContain("[DONE]");
      const row = await logRow(gateway, response);
      expect(row).toMatchObject({ outcome: "upstream_error", estimated: true });
      expect(row.output_tokens).toBeGreaterThan(0);
      expect((await used()) - before).toBe(row.micros);
    },
  );

  test("N22 sandbox:error-after counts the chunks before the error", async () => {
    const { chunks } = await askStream("sandbox:error-after=5 Tell me about rivers.");
    expect(chunks).toHaveLength(6);
  });
});

describe("odd answers", () => {
  test("N22 sandbox:no-usage leaves usage out, and the gateway tells and bills its estimate", async () => {
    const whole = await ask("sandbox:no-usage Tell me about rivers.");
    expect(whole.headers.get("x-sluice-usage")).toBe("estimated");
    expect(await whole.json()).toHaveProperty("usage.completion_tokens");
    const fields = { stream: true, stream_options: { include_usage: true } };
    const streamed = await ask("sandbox:no-usage Tell me about rivers.", fields);
    const { text, data } = await readStream(streamed);
    expect(text).toContain(": x-sluice-usage: estimated");
    expect(text).toContain("prompt_tokens");
    expect(data.at(-1)).toBe("[DONE]");
    for (const response of [whole, streamed]) {
      const row = await logRow(gateway, response);
      expect(row).toMatchObject({ outcome: "ok", estimated: true });
      expect(row.output_tokens).toBeGreaterThan(10);
      expect(row.micros).toBeGreaterThan(0);
    }
  });

  test("N22 sandbox:filter ends with content_filter, whole and streamed", async () => {
    const { finish_reason } = await choiceOf(await ask("sandbox:filter Tell me about rivers."));
    expect(finish_reason).toBe("content_filter");
    const { chunks } = await askStream("sandbox:filter Tell me about rivers.");
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: "content_filter" }] });
  });
});

describe("what else a chat can ask for", () => {
  const tool = (name: string) => ({
    type: "function",
    function: {
      name,
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  });
  const tools = [tool("find_city"), tool("get_weather")];
  const question = "Use find_city and get_weather for Lisbon.";

  interface Called {
    content: string | null;
    tool_calls?: { index?: number; function: { name: string; arguments: string } }[];
  }

  async function called(fields: object): Promise<Called> {
    const response = await ask(question, { tools, ...fields });
    const { choices } = (await response.json()) as { choices: { message: Called }[] };
    return choices[0]?.message ?? { content: "" };
  }

  test("T5 parallel calls come whole with content null, in their order", async () => {
    const { content, tool_calls } = await called({});
    expect(content).toBeNull();
    const names = tool_calls?.map((call) => call.function.name);
    expect(names).toEqual(["find_city", "get_weather"]);
    expect(JSON.parse(tool_calls?.[0]?.function.arguments ?? "")).toEqual({ city: "Lisbon" });
  });

  test("T5 tool_choice and parallel_tool_calls decide what is called", async () => {
    expect((await called({ tool_choice: "none" })).tool_calls).toBeUndefined();
    expect((await called({ parallel_tool_calls: false })).tool_calls).toHaveLength(1);
    expect((await called({ tool_choice: "required" })).tool_calls).toHaveLength(2);
    const tool_choice = { type: "function", function: { name: "get_weather" } };
    const { tool_calls } = await called({ tool_choice });
    expect(tool_calls?.map((call) => call.function.name)).toEqual(["get_weather"]);
  });

  test("T5 streamed calls add up to the whole ones by their indexes", async () => {
    const whole = await called({});
    const response = await ask(question, { tools, stream: true });
    const { chunks } = await readStream(response);
    const texts: string[] = [];
    for (const chunk of chunks) {
      const [choice] = chunk["choices"] as { delta: Called }[];
      for (const call of choice?.delta.tool_calls ?? []) {
        const index = call.index ?? -1;
        texts[index] = (texts[index] ?? "") + call.function.arguments;
      }
    }
    expect(texts).toEqual(whole.tool_calls?.map((call) => call.function.arguments) ?? []);
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: "tool_calls" }] });
  });

  test("T6 response_format decides the form of the content", async () => {
    const object = await ask("Rivers.", { response_format: { type: "json_object" } });
    expect(JSON.parse((await choiceOf(object)).message.content)).toBeObject();
    const schema = {
      type: "object",
      properties: { river: { type: "string" }, km: { type: "integer", minimum: 7 } },
      required: ["river", "km"],
    };
    const json_schema = { name: "river", strict: true, schema };
    const response_format = { type: "json_schema", json_schema };
    const { message } = await choiceOf(await ask("Rivers.", { response_format }));
    const written = JSON.parse(message.content) as { river: unknown; km: number };
    expect(Object.keys(written)).toEqual(["river", "km"]);
    expect(written.km).toBeGreaterThanOrEqual(7);
  });

  test("T7 limits and effort take effect", async () => {
    for (const limit of [{ max_tokens: 3 }, { max_completion_tokens: 3 }]) {
      const { finish_reason, message } = await choiceOf(await ask("Rivers.", limit));
      expect(finish_reason).toBe("length");
      expect(message.content.length).toBeLessThan(20);
    }
    const thinking = await ask("Rivers.", { reasoning_effort: "high" });
    expect((await logRow(gateway, thinking)).reasoning_tokens).toBeGreaterThan(0);
  });

  test("T8 legacy completions come whole and streamed", async () => {
    const body = { model: "chatA", prompt: "Rivers", max_tokens: 8 };
    const whole = await gateway.post("/v1/completions", body, customer.key);
    expect(await whole.json()).toMatchObject({ object: "text_completion" });
    const response = await gateway.post("/v1/completions", { ...body, stream: true }, customer.key);
    const { chunks, data } = await readStream(response);
    expect(chunks.every(({ object }) => object === "text_completion")).toBeTrue();
    expect(data.at(-1)).toBe("[DONE]");
  });
});

// Last, because it is about what the sandbox is like for everyone afterwards.
describe("a refused key", () => {
  test.each([401, 402, 403])(
    "N22 sandbox:status=%d fails its own request and nobody else's",
    async (status) => {
      expect((await ask(`sandbox:status=${status}`)).status).toBe(500);
      expect((await choiceOf(await ask("Tell me about rivers."))).finish_reason).toBe("stop");
    },
  );
});
