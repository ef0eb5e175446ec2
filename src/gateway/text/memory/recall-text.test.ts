import { describe, expect, test } from "bun:test";
import { systemClock } from "../../../core/clock.ts";
import { GatewayError } from "../../../core/errors.ts";
import type { AccountId, RequestId } from "../../../core/ids.ts";
import { encodeJson, type JsonObject } from "../../../core/json.ts";
import { chat } from "../../../formats/chat/index.ts";
import { pngOf } from "../../../formats/kit/fixtures/files.ts";
import type { Format } from "../../../formats/format.ts";
import { responses } from "../../../formats/responses/index.ts";
import type { Caller } from "../../../identity/caller.ts";
import type { TextInput } from "../text-job.ts";
import { keepReply, readKept, recallText } from "./recall-text.ts";
import { ResponseMemory } from "./response-memory.ts";

const timers = { after: () => () => {}, every: () => () => {} };
const ann = { accountId: "acc_ann" as AccountId, makerId: null };
const newMemory = () => new ResponseMemory({ clock: systemClock, timers });

function inputOf(body: JsonObject, account = "acc_ann", format: Format = responses): TextInput {
  const caller = { accountId: account as AccountId } as Caller;
  const signal = new AbortController().signal;
  return {
    format,
    body,
    bodyBytes: Buffer.byteLength(JSON.stringify(body)),
    raw: null,
    written: [],
    address: null,
    action: "generate",
    wireHeaders: {},
    headers: new Headers(),
    call: {
      caller,
      scope: { requestId: "req_1" as RequestId, signal, startedAtMs: 0, hops: 0 },
      limitHeaders: {},
      model: "",
      stream: false,
      askedModel: null,
      chain: null,
      taskId: null,
      replayOf: null,
      label: null,
      ending: null,
      converted: null,
      candidates: [],
      affinity: null,
      waitedMs: 0,
      takenTokens: 0,
      content: null,
      attempts: 0,
      failedChannels: [],
      trail: [],
      arrivedAtMs: 0,
      channel: null,
      key: null,
      askFor: () => null,
      left() {},
      finish() {},
    },
  };
}

function recall(memory: ResponseMemory, input: TextInput) {
  return recallText(memory, input, input.format.read(input.body, null));
}

const png = pngOf(2250).toString("base64");
const image = `data:image/png;base64,${png}`;
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text: "é".repeat(500) }],
};
const response = { id: "resp_1", status: "completed", output: [message] };
const asked = [{ role: "user", content: [{ type: "input_image", image_url: image }] }];
const says = (content: string) => ({ role: "user", content });
const goesOn = { model: "m", previous_response_id: "resp_1", input: [says("and?")] };
const reference = { type: "item_reference", id: "msg_1" };

describe("what is recalled", () => {
  test("counts like the rest of the body", () => {
    const memory = newMemory();
    keepReply(memory, inputOf({ model: "m", input: asked }), response);
    const input = inputOf(goesOn);
    const recalled = recall(memory, input);
    expect(recalled.input.bodyBytes - input.bodyBytes).toBe(
      Buffer.byteLength(JSON.stringify(asked)) + Buffer.byteLength(JSON.stringify(message)),
    );
    expect(recalled.input.bodyBytes).toBeGreaterThanOrEqual(
      Buffer.byteLength(JSON.stringify(recalled.input.body)),
    );
    expect(recalled.request).toMatchObject({
      mediaParts: 1,
      mediaBytes: image.length,
      earlier: { replyId: "resp_1", itemCount: 2 },
      origins: { required: null },
    });
  });

  test("counts as often as it is put in, and has an end", () => {
    const memory = newMemory();
    const body = { model: "m", input: [reference, reference, reference] };
    keepReply(memory, inputOf({ model: "m", input: "hi" }), response);
    const input = inputOf(body);
    expect(recall(memory, input).input.bodyBytes - input.bodyBytes).toBe(
      3 * Buffer.byteLength(JSON.stringify(message)),
    );
    const many = { model: "m", input: Array.from({ length: 20_000 }, () => reference) };
    expect(() => recall(memory, inputOf(many))).toThrow(GatewayError);
  });

  test("is the account's own and no other's", () => {
    const memory = newMemory();
    keepReply(memory, inputOf({ model: "m", input: "hi" }), response);
    const body = { ...goesOn, input: [reference] };
    const input = inputOf(body, "acc_bob");
    expect(recall(memory, input).input).toBe(input);
    expect(recall(memory, input).request.origins.required).toMatchObject({ id: "resp_1" });
    expect(recall(memory, inputOf(body)).request.origins.required).toBeNull();
  });

  test("is nothing for a format without references, which is not even copied", () => {
    const memory = newMemory();
    const body = { model: "m", messages: [{ role: "user", content: "hi" }] };
    const input = inputOf(body, "acc_ann", chat);
    expect(recall(memory, input).input).toBe(input);
    keepReply(memory, input, { id: "chatcmpl-1", choices: [] });
    expect(memory.bytes).toBe(0);
  });
});

describe("what is kept", () => {
  test("is read back as it was", () => {
    const memory = newMemory();
    keepReply(memory, inputOf({ model: "m", input: asked }), response);
    const kept = memory.find(ann, "resp_1");
    expect(kept && readKept(responses, kept)).toEqual({
      id: "resp_1",
      head: { ...response, output: [] },
      items: [message],
      input: asked,
    });
  });

  test("is the request as it came, unless something was put into it", () => {
    const memory = newMemory();
    const raw = encodeJson({ model: "m", input: [says("one")], extra: 1 });
    keepReply(memory, { ...inputOf({ model: "m", input: [says("one")] }), raw }, response);
    expect(memory.find(ann, "resp_1")?.request).toBe(raw);
    const recalled = recall(memory, { ...inputOf(goesOn), raw: encodeJson(goesOn) });
    keepReply(memory, recalled.input, { ...response, id: "resp_2" });
    const kept = memory.find(ann, "resp_2");
    expect(kept && readKept(responses, kept)?.input).toEqual([says("one"), message, says("and?")]);
  });

  test("is only the reply when the request was too large to be kept", () => {
    const memory = newMemory();
    const input = { ...inputOf({ model: "m", input: "hi" }), bodyBytes: memory.entryBytesMax + 1 };
    keepReply(memory, input, response);
    expect(memory.find(ann, "resp_1")).toMatchObject({ request: null });
    expect(recall(memory, inputOf(goesOn)).request.origins.required).not.toBeNull();
    const referred = recall(memory, inputOf({ model: "m", input: [reference] }));
    expect(referred.input.body["input"]).toEqual([message]);
  });
});
