// Vendors of the responses wire that store nothing, and say so unasked: clients go on from their
// responses all the same.
import { beforeEach, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { errorOf } from "../../harness/ask.ts";
import { rootKey, startGateway } from "../../harness/gateway.ts";
import { Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

let responseCount = 0;
let isStored = false;
/** Some leave the output out of the last event. */
let isEndBare = false;

const usage = { input_tokens: 10, output_tokens: 20, total_tokens: 30 };
const reasoning = { type: "reasoning", id: "rs_1", summary: [] };
const proven = { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "ENC+/==" };
const call = {
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "get_weather",
  arguments: '{"city":"Oslo"}',
  status: "completed",
};
const output = [reasoning, proven, call];

const vendor = kept(
  new Vendor(({ body }, reply) => {
    const head = { id: `resp_${++responseCount}`, object: "response", created_at: 1_790_000_000 };
    const facts = { error: null, incomplete_details: null, model: "v", store: isStored };
    const response = { ...head, ...facts, status: "completed", output, usage };
    if (body["stream"] !== true) return reply.json(response);
    let number = 0;
    const step = (type: string, fields: object) => {
      const data = JSON.stringify({ type, sequence_number: number++, ...fields });
      reply.chunk(`event: ${type}\ndata: ${data}\n\n`);
    };
    reply.stream();
    const begun = { ...response, status: "in_progress", output: [], usage: null };
    step("response.created", { response: begun });
    for (const [at, item] of output.entries()) {
      step("response.output_item.added", { output_index: at, item });
      step("response.output_item.done", { output_index: at, item });
    }
    step("response.completed", { response: isEndBare ? { ...response, output: [] } : response });
    reply.end();
  }),
);

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [vendor.channel({ models: ["m"], format: "responses" })],
      unpriced: "free",
    }),
  }),
);

beforeEach(() => {
  isStored = false;
  isEndBare = false;
});

async function ask(fields: JsonObject, key = rootKey): Promise<JsonObject> {
  const response = await gateway.post("/v1/responses", { model: "m", ...fields }, key);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  if (fields["stream"] !== true) return JSON.parse(text) as JsonObject;
  expect(text).toContain("event: response.completed");
  return { id: `resp_${responseCount}` };
}

const sent = () => vendor.requests.at(-1)?.body ?? {};
const question = { role: "user", content: "What is the weather in Oslo?" };
const result = { type: "function_call_output", call_id: "call_1", output: "Rain." };

describe.each([false, true])("a response that was streamed: %p", (stream) => {
  test("T20 is gone on from by its id, with all that was said and can be read again", async () => {
    for (const bare of stream ? [false, true] : [false]) {
      isEndBare = bare;
      const first = await ask({ stream, input: [question] });
      const second = await ask({ stream, previous_response_id: first["id"], input: [result] });
      expect(sent()["previous_response_id"]).toBeUndefined();
      expect(sent()["input"]).toEqual([question, proven, call, result]);
      await ask({ stream, previous_response_id: second["id"], input: [result] });
      const all = [question, proven, call, result, proven, call, result];
      expect(sent()["input"]).toEqual(all);
    }
  });

  test("T20 is gone on from by references to its items", async () => {
    await ask({ stream, input: [question] });
    const items = output.map(({ id }) => ({ type: "item_reference", id }));
    await ask({ stream, input: [question, ...items, result] });
    expect(sent()["input"]).toEqual([question, proven, call, result]);
  });

  test("T20 is shown to who asks for it, and to nobody else", async () => {
    const { id } = await ask({ stream, input: [question] });
    const read = (key: string) =>
      fetch(`${gateway.url}/v1/responses/${String(id)}`, {
        headers: { authorization: `Bearer ${key}` },
      });
    expect(await (await read(rootKey)).json()).toMatchObject({ id, output: [{}, proven, call] });
    const other = await gateway.customer(1_000_000);
    expect((await read(other.key)).status).toBe(404);
    const fields = { model: "m", previous_response_id: id, input: [result] };
    const refused = await gateway.post("/v1/responses", fields as JsonObject, other.key);
    expect(await errorOf(refused)).toMatchObject({ code: "previous_response_not_found" });
  });

  test("T20 is its vendor's where that stores it", async () => {
    isStored = true;
    const { id } = await ask({ stream, input: [question] });
    await ask({ stream, previous_response_id: id, input: [result] });
    expect(sent()).toMatchObject({ previous_response_id: id, input: [result] });
  });

  test("T20 is not kept where the client wants nothing stored", async () => {
    const { id } = await ask({ stream, store: false, input: [question] });
    await ask({ stream, store: false, previous_response_id: id, input: [result] });
    expect(sent()).toMatchObject({ previous_response_id: id, input: [result] });
  });
});
