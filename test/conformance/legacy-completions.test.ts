// Legacy completions, whole and streamed.
import { describe, expect, test } from "bun:test";
import { balanceOf, logRow } from "../harness/books.ts";
import { readStream } from "../harness/event-stream.ts";
import { startGateway } from "../harness/gateway.ts";
import { defaultUsage, Vendor, type VendorScript } from "../harness/vendor.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";

const vendor = kept(new Vendor((_request, reply) => reply.json(answer)));

const gateway = useStand(() =>
  startGateway({ config: JSON.stringify({ channels: [vendor.channel()] }) }),
);

const head = { id: "cmpl-1", object: "text_completion", created: 1_790_000_000, model: "m" };
const answer = {
  ...head,
  choices: [{ text: " a time.", index: 0, logprobs: null, finish_reason: "stop" }],
  usage: defaultUsage,
  x_vendor: { kept: null },
};
/** Price of `defaultUsage` of chatA by the catalogue, rounded up. */
const defaultMicros = 213;

function piece(text: string, finish_reason: string | null = null): object {
  return { ...head, choices: [{ text, index: 0, logprobs: null, finish_reason }] };
}

function sends(...events: readonly (object | string)[]): VendorScript {
  return (_request, reply) => {
    reply.stream();
    for (const event of events) reply.event(event);
    reply.end();
  };
}

async function complete(fields: object, script: VendorScript): Promise<Response> {
  vendor.script = script;
  return await gateway.post("/v1/completions", { model: "chatA", prompt: "Once upon", ...fields });
}

const answers: VendorScript = (_request, reply) => reply.json(answer);

describe("a whole legacy completion", () => {
  test("T8 is an object of type text_completion, byte for byte the upstream's", async () => {
    const response = await complete({}, answers);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(JSON.stringify(answer));
    expect(vendor.requests.at(-1)?.path).toBe("/v1/completions");
    expect(await logRow(gateway, response)).toMatchObject({ micros: defaultMicros, stream: false });
  });

  test.each([
    ["a text", "Once upon"],
    ["an empty text", ""],
    ["several texts", ["Once upon", "In the beginning"]],
    ["token ids", [1, 2, 3]],
    ["lists of token ids", [[1, 2], [3]]],
  ])("T8 a prompt as %s reaches the upstream unchanged", async (_name, prompt) => {
    expect((await complete({ prompt }, answers)).status).toBe(200);
    expect(vendor.requests.at(-1)?.body).toEqual({ model: "chatA", prompt });
  });

  test("T8 every field reaches the upstream, unknown ones and explicit nothings too", async () => {
    const fields = {
      max_tokens: 0,
      temperature: 0,
      top_p: 1,
      n: 2,
      best_of: 3,
      echo: false,
      suffix: null,
      logprobs: 0,
      stop: ["\n"],
      seed: 0,
      user: "",
      stream: false,
      stream_options: null,
      x_vendor: { deep: [null, false] },
    };
    expect((await complete(fields, answers)).status).toBe(200);
    expect(vendor.requests.at(-1)?.body).toEqual({
      model: "chatA",
      prompt: "Once upon",
      ...fields,
    });
  });

  test.each([
    ["prompt", { prompt: null }],
    ["prompt", { prompt: {} }],
    ["prompt", { prompt: [] }],
    ["model", { model: 1 }],
    ["max_tokens", { max_tokens: "16" }],
    ["best_of", { best_of: 0 }],
    ["echo", { echo: 1 }],
    ["suffix", { suffix: 1 }],
  ])("T8 a wrong %s is a 400 that names it", async (param, fields) => {
    const before = vendor.requests.length;
    const response = await complete(fields, answers);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { type: "invalid_request_error", code: "invalid_request", param },
    });
    expect(vendor.requests).toHaveLength(before);
  });
});

describe("a streamed legacy completion", () => {
  const pieces = [piece(" a"), piece(" time."), piece("", "stop")];
  const usage = { ...head, choices: [], usage: defaultUsage };

  test("T8 comes in pieces of the same object, then [DONE], usage hidden but billed", async () => {
    const customer = await gateway.customer(10_000_000);
    vendor.script = sends(...pieces, usage, "[DONE]");
    const body = { model: "chatA", prompt: "Once upon", stream: true };
    const response = await gateway.post("/v1/completions", body, customer.key);
    expect(response.headers.get("content-type")).toStartWith("text/event-stream");
    const { chunks, data } = await readStream(response);
    expect(chunks).toEqual(pieces as typeof chunks);
    expect(data.at(-1)).toBe("[DONE]");
    expect(vendor.requests.at(-1)?.body["stream_options"]).toEqual({ include_usage: true });
    expect((await balanceOf(gateway, customer.id)).used_micros).toBe(defaultMicros);
  });

  test("T8 shows its usage to who asks", async () => {
    const fields = { stream: true, stream_options: { include_usage: true } };
    const response = await complete(fields, sends(...pieces, usage, "[DONE]"));
    const { chunks } = await readStream(response);
    expect(chunks.at(-1)).toEqual(usage);
  });

  test("T8 X-U29 that closes after its finish reason ends with [DONE]", async () => {
    const response = await complete({ stream: true }, sends(...pieces, usage));
    const { chunks, data } = await readStream(response);
    expect(chunks).toEqual(pieces as typeof chunks);
    expect(data.at(-1)).toBe("[DONE]");
    expect(await logRow(gateway, response)).toMatchObject({ outcome: "ok", estimated: false });
  });

  test("T8 X-U28 that is empty is an answer, whole and streamed, and is charged", async () => {
    const streamed = await complete({ stream: true }, sends(piece("", "stop"), usage, "[DONE]"));
    const { data } = await readStream(streamed);
    expect(data.at(-1)).toBe("[DONE]");
    expect(await logRow(gateway, streamed)).toMatchObject({ outcome: "ok", micros: defaultMicros });
    const whole = await complete({}, (_request, reply) => reply.json(piece("", "stop")));
    expect(whole.status).toBe(200);
    expect(await whole.json()).toMatchObject({ choices: [{ text: "" }] });
    const row = await logRow(gateway, whole);
    expect(row).toMatchObject({ outcome: "ok", estimated: true });
    expect(row.micros).toBeGreaterThan(0);
  });

  test("T8 that breaks off ends with an error event and is billed for its text", async () => {
    const response = await complete({ stream: true }, sends(...pieces.slice(0, 2)));
    const { chunks, data } = await readStream(response);
    expect(chunks.at(-1)).toMatchObject({ error: { code: "bad_response", param: null } });
    expect(data).not.toContain("[DONE]");
    const row = await logRow(gateway, response);
    expect(row).toMatchObject({ outcome: "upstream_error", estimated: true });
    expect(row.output_tokens).toBeWithin(1, " a time.".length + 1);
  });
});
