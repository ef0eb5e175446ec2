// Streamed chat completions: what reaches the client, what stays hidden, what is billed.
import { describe, expect, test } from "bun:test";
import { balanceOf, logRow } from "../harness/books.ts";
import { readStream, StreamReader } from "../harness/event-stream.ts";
import { startGateway } from "../harness/gateway.ts";
import {
  defaultUsage,
  delta,
  usageChunk,
  Vendor,
  type VendorReply,
  type VendorScript,
} from "../harness/vendor.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";

const vendor = kept(new Vendor((_request, reply) => reply.cut()));

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({ channels: [vendor.channel()] }),
  }),
);

const messages = [{ role: "user", content: "Hello?" }];
const asking = { stream_options: { include_usage: true } };
/** Price of `defaultUsage` of chatA by the catalogue, rounded up: 10 and 20 tokens. */
const defaultMicros = 213;

async function stream(fields: object, script: VendorScript, key?: string): Promise<Response> {
  vendor.script = script;
  const body = { model: "chatA", messages, stream: true, ...fields };
  const response = await gateway.post("/v1/chat/completions", body, key);
  expect(response.status).toBe(200);
  return response;
}

function sends(...events: readonly (object | string)[]): VendorScript {
  return (_request, reply) => {
    reply.stream();
    for (const event of events) reply.event(event);
    reply.end();
  };
}

/** One frame of a chunked body, for bytes that are no tidy events. */
function frame(reply: VendorReply, bytes: Uint8Array): void {
  reply.raw(`${bytes.length.toString(16)}\r\n`);
  reply.raw(bytes);
  reply.raw("\r\n");
}

const hello = [delta({ role: "assistant", content: "" }), delta({ content: "Hello." })];
const stop = delta({}, "stop");

describe("a streamed answer", () => {
  test("T3 the first chunk has the role, the last one the reason, then comes [DONE]", async () => {
    const response = await stream({}, sends(...hello, stop, usageChunk(), "[DONE]"));
    const { chunks, data } = await readStream(response);
    expect(chunks).toEqual([...hello, stop] as typeof chunks);
    expect(chunks.every(({ object }) => object === "chat.completion.chunk")).toBeTrue();
    expect(data.at(-1)).toBe("[DONE]");
    expect(data).toHaveLength(4);
  });

  test("T3 the upstream is asked for a stream, with every other field as it came", async () => {
    const fields = { temperature: 0, x_vendor: null };
    await (await stream(fields, sends(...hello, stop, "[DONE]"))).text();
    expect(vendor.requests.at(-1)?.body).toEqual({
      model: "chatA",
      messages,
      stream: true,
      ...fields,
      ...asking,
    });
  });

  test("T3 who asked for all of it gets the upstream's bytes, whatever their form", async () => {
    const text =
      ": a comment\r\n\r\n" +
      'data:{"choices":[{"index":0,"delta":{"role":"assistant"}}],"x":1}\r\n\r\n' +
      'event: odd\ndata: {"choices":[{"index":0,"delta":{"content":"Grüße 🌍"}}]}\n\n' +
      'id: 7\ndata: {"choices":[],\ndata: "usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n' +
      "data: [DONE]\n\n";
    const response = await stream(asking, (_request, reply) => {
      reply.stream();
      frame(reply, Buffer.from(text));
      reply.end();
    });
    expect(await response.text()).toBe(text);
    expect(await logRow(gateway, response)).toMatchObject({ input_tokens: 1, output_tokens: 2 });
  });

  test("T3 events that arrive in single bytes reach the client whole", async () => {
    const events = [delta({ content: "Grüße 🌍" }), stop, usageChunk()];
    const text = [...events.map((event) => JSON.stringify(event)), "[DONE]"]
      .map((data) => `data: ${data}\n\n`)
      .join("");
    const response = await stream(asking, (_request, reply) => {
      reply.stream();
      for (const byte of Buffer.from(text)) frame(reply, Uint8Array.of(byte));
      reply.end();
    });
    expect(await response.text()).toBe(text);
  });

  test("T3 chunks reach the client when they come, not when the stream ends", async () => {
    const { promise: read, resolve: sawFirst } = Promise.withResolvers<void>();
    const response = await stream({}, async (_request, reply) => {
      reply.stream();
      reply.event(delta({ content: "First." }));
      await read;
      reply.event(delta({ content: "Second." }, "stop"));
      reply.event("[DONE]");
      reply.end();
    });
    const reader = new StreamReader(response);
    await reader.until("First.");
    expect(reader.text).not.toContain("Second.");
    sawFirst();
    expect(await reader.rest()).toEndWith("data: [DONE]\n\n");
  });

  test("T3 what an upstream sends behind [DONE] does not reach the client", async () => {
    const late = delta({ content: "Late." });
    const response = await stream({}, sends(...hello, stop, "[DONE]", late, "[DONE]"));
    const { text, data } = await readStream(response);
    expect(text).not.toContain("Late.");
    expect(data.filter((line) => line === "[DONE]")).toHaveLength(1);
  });

  test("T3 several choices keep their indexes", async () => {
    const two = [0, 1].map((index) => ({
      ...delta({}),
      choices: [{ index, delta: { content: `Answer ${index}.` }, finish_reason: "stop" }],
    }));
    const { chunks } = await readStream(await stream({ n: 2 }, sends(...two, "[DONE]")));
    expect(chunks).toEqual(two as typeof chunks);
  });
});

describe("the usage of a stream", () => {
  test("T4 who asks gets one last chunk with usage and no choices", async () => {
    const events = [...hello.map((chunk) => ({ ...chunk, usage: null })), stop, usageChunk()];
    const { chunks, data } = await readStream(await stream(asking, sends(...events, "[DONE]")));
    expect(chunks).toEqual(events as typeof chunks);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: defaultUsage });
    expect(data.at(-1)).toBe("[DONE]");
  });

  test.each<[name: string, fields: { stream_options?: object | null }]>([
    ["nothing is said", {}],
    ["it is refused", { stream_options: { include_usage: false } }],
    ["the options are null", { stream_options: null }],
    ["the options are others", { stream_options: { include_obfuscation: false } }],
  ])("T4 no usage reaches the client when %s, and yet it is billed", async (_name, fields) => {
    const customer = await gateway.customer(10_000_000);
    const events = [...hello.map((chunk) => ({ ...chunk, usage: null })), stop, usageChunk()];
    const response = await stream(fields, sends(...events, "[DONE]"), customer.key);
    const { chunks } = await readStream(response);
    expect(chunks).toHaveLength(3);
    for (const chunk of chunks) {
      expect(chunk["choices"]).toHaveLength(1);
      expect(chunk["usage"] ?? null).toBeNull();
    }
    expect(await balanceOf(gateway, customer.id)).toMatchObject({
      quota_micros: 10_000_000 - defaultMicros,
      held_micros: 0,
      used_micros: defaultMicros,
    });
    expect(await logRow(gateway, response)).toMatchObject({
      outcome: "ok",
      stream: true,
      input_tokens: 10,
      output_tokens: 20,
      micros: defaultMicros,
      estimated: false,
    });
    const options = { ...fields.stream_options, include_usage: true };
    expect(vendor.requests.at(-1)?.body["stream_options"]).toEqual(options);
  });

  test("T4 usage beside choices, and only usage, is taken out for who did not ask", async () => {
    const both = { ...delta({ content: "!" }, "stop"), usage: defaultUsage, x_vendor: [null] };
    const response = await stream({}, sends(...hello, both, "[DONE]"));
    const { chunks, data } = await readStream(response);
    const { usage: _usage, ...shown } = both;
    expect(chunks).toEqual([...hello, shown] as typeof chunks);
    expect(data.at(-1)).toBe("[DONE]");
    expect(await logRow(gateway, response)).toMatchObject({ micros: defaultMicros });
  });

  test("T4 usage beside choices stays for who asked", async () => {
    const both = { ...delta({ content: "!" }, "stop"), usage: defaultUsage };
    const { chunks } = await readStream(await stream(asking, sends(...hello, both, "[DONE]")));
    expect(chunks).toEqual([...hello, both] as typeof chunks);
  });

  test("T4 of usage that is counted up from chunk to chunk the last one is billed", async () => {
    const counted = [1, 2, 20].map((completion_tokens) => ({
      ...delta({ content: "a" }),
      usage: { ...defaultUsage, completion_tokens },
    }));
    const response = await stream({}, sends(...counted, stop, "[DONE]"));
    const { text } = await readStream(response);
    expect(text).not.toContain("completion_tokens");
    expect(await logRow(gateway, response)).toMatchObject({ micros: defaultMicros });
  });

  test("T4 a stream whose upstream counts nothing is billed by estimate", async () => {
    const response = await stream(asking, sends(...hello, stop, "[DONE]"));
    await response.text();
    const row = await logRow(gateway, response);
    expect(row).toMatchObject({ outcome: "ok", estimated: true });
    expect(row.output_tokens).toBeWithin(1, "Hello.".length + 1);
    expect(row.micros).toBeGreaterThan(0);
  });
});

/** Sends each event in a packet of its own, as a vendor does that generates word by word. */
function sendsApart(...events: readonly (object | string)[]): VendorScript {
  return async (_request, reply) => {
    reply.stream();
    for (const event of events) {
      reply.event(event);
      await Bun.sleep(2);
    }
    reply.end();
  };
}

describe("events that come one by one", () => {
  const words = ["One ", "two ", "three."].map((content) => delta({ content }));

  test("T4 usage is hidden from who did not ask, whatever came before it", async () => {
    const both = { ...delta({ content: "!" }, "stop"), usage: defaultUsage };
    for (const last of [usageChunk(), both]) {
      const response = await stream({}, sendsApart(hello[0] ?? {}, ...words, last, "[DONE]"));
      const { text, data, chunks } = await readStream(response);
      expect(text).not.toContain("usage");
      expect(chunks.slice(0, 4)).toEqual([hello[0], ...words] as typeof chunks);
      expect(data.at(-1)).toBe("[DONE]");
      expect(await logRow(gateway, response)).toMatchObject({
        input_tokens: 10,
        output_tokens: 20,
        estimated: false,
      });
    }
  });

  test("T4 usage is found behind another field of that name", async () => {
    const last = { x_timing: { usage: null }, ...usageChunk() };
    const response = await stream({}, sendsApart(...words, stop, last, "[DONE]"));
    expect((await readStream(response)).chunks).toHaveLength(words.length + 1);
    expect(await logRow(gateway, response)).toMatchObject({ estimated: false, output_tokens: 20 });
  });

  test("T3 texts that speak of usage, errors and ends are only texts", async () => {
    const texts = ['"usage": {"prompt_tokens": 1}', '{"error": "no"}', "data: [DONE]\n\n", "}\n\n"];
    const events = texts.map((content) => delta({ content, error: null }));
    const response = await stream(asking, sendsApart(...events, stop, usageChunk(), "[DONE]"));
    const { chunks, data } = await readStream(response);
    expect(chunks).toEqual([...events, stop, usageChunk()] as typeof chunks);
    expect(data.at(-1)).toBe("[DONE]");
    expect(await logRow(gateway, response)).toMatchObject({ outcome: "ok", estimated: false });
  });

  test("T4 where nothing is counted, the estimate grows with the text", async () => {
    const many = Array.from({ length: 20 }, (_, at) => delta({ content: `word number ${at}, ` }));
    const characters = many.length * "word number 10, ".length;
    const response = await stream({}, sendsApart(...many, stop, "[DONE]"));
    await response.text();
    const { output_tokens, estimated } = await logRow(gateway, response);
    expect(estimated).toBeTrue();
    expect(output_tokens).toBeWithin(characters / 6, characters / 2);
  });
});

function calls(index: number, fields: object): object {
  return delta({ tool_calls: [{ index, ...fields }] });
}

describe("tool calls", () => {
  test("T5 streamed calls keep their indexes, order and broken-up arguments", async () => {
    const events = [
      delta({ role: "assistant", content: null }),
      calls(0, { id: "call_a", type: "function", function: { name: "a", arguments: "" } }),
      calls(0, { function: { arguments: '{"pla' } }),
      calls(1, { id: "call_b", type: "function", function: { name: "b", arguments: "" } }),
      calls(0, { function: { arguments: 'ce":"Lis' } }),
      calls(1, { function: { arguments: "{}" } }),
      calls(0, { function: { arguments: 'bon"}' } }),
      delta({}, "tool_calls"),
    ];
    const response = await stream({ tools: [] }, sends(...events, usageChunk(), "[DONE]"));
    const { chunks } = await readStream(response);
    expect(chunks).toEqual(events as typeof chunks);
  });

  test("T5 whole calls come with content null", async () => {
    const message = {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "call_a", type: "function", function: { name: "a", arguments: '{"x":1}' } },
        { id: "call_b", type: "function", function: { name: "b", arguments: "{broken" } },
      ],
    };
    const answer = {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, message, finish_reason: "tool_calls" }],
      usage: defaultUsage,
    };
    vendor.script = (_request, reply) => reply.json(answer);
    const response = await gateway.post("/v1/chat/completions", { model: "chatA", messages });
    expect(await response.json()).toEqual(answer);
  });
});

describe("an open stream", () => {
  test("T19 nothing between the gateway and the client buffers or keeps it", async () => {
    const response = await stream({}, sends(...hello, stop, "[DONE]"));
    expect(response.headers.get("content-type")).toStartWith("text/event-stream");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    expect(response.headers.get("content-length")).toBeNull();
    await response.text();
  });

  test("T19 comments keep an idle stream alive and stand between whole events", async () => {
    const { promise: idled, resolve: wentIdle } = Promise.withResolvers<void>();
    const half = Buffer.from(`data: ${JSON.stringify(delta({ content: "Second." }))}\n\n`);
    vendor.script = async (_request, reply) => {
      reply.stream();
      reply.event(delta({ content: "First." }));
      frame(reply, half.subarray(0, 20));
      await idled;
      frame(reply, half.subarray(20));
      reply.event(stop);
      reply.event("[DONE]");
      reply.end();
    };
    await using lively = await startGateway({
      config: JSON.stringify({ channels: [vendor.channel()], timeouts: { keep_alive_ms: 100 } }),
    });
    const body = { model: "chatA", messages, stream: true };
    const reader = new StreamReader(await lively.post("/v1/chat/completions", body));
    await reader.until(": keep-alive\n\n: keep-alive\n\n");
    wentIdle();
    const text = await reader.rest();
    expect(text.replaceAll(": keep-alive\n\n", "")).toBe(
      [delta({ content: "First." }), delta({ content: "Second." }), stop, "[DONE]"]
        .map((data) => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`)
        .join(""),
    );
  });

  test("T19 a stream that flows gets no comments", async () => {
    const response = await stream({}, sends(...hello, stop, "[DONE]"));
    expect(await response.text()).not.toContain("keep-alive");
  });
});
