import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { readEvents, SseSplitter } from "../../core/sse.ts";
import type { Sighting } from "../format.ts";
import { ResponsesStreamEncoder } from "./encode-stream.ts";
import { eventsOf, frameOf, textParts, writeAll } from "./fixtures/shapes.ts";
import { responses } from "./index.ts";
import { ResponsesObserver } from "./observe.ts";

const load = (name: string) => readFileSync(new URL(`fixtures/${name}.sse`, import.meta.url));
const bytesOf = (text: string) => new TextEncoder().encode(text);
const see = (observer: ResponsesObserver, data: object) =>
  observer.see({ event: null, data: JSON.stringify(data) });

/** Watch the way the gateway does: whole events are skimmed, and shown when that does not do. */
function watch(bytes: Uint8Array, isSkimmed = true) {
  const observer = new ResponsesObserver();
  const splitter = new SseSplitter();
  const sightings: Sighting["kind"][] = [];
  let skimmed = 0;
  for (const event of bytes.toString().split(/(?<=\n\n)/)) {
    const block = splitter.push(bytesOf(event));
    if (!block) continue;
    if (isSkimmed && observer.skim(block.bytes)) skimmed++;
    else sightings.push(...block.events.map((seen) => observer.see(seen).kind));
  }
  return { observer, sightings, skimmed };
}

describe("a stream that passes through", () => {
  test("is read for usage, for what must come back, and for its end", () => {
    const { observer, sightings } = watch(load("reasoning"));
    expect(sightings.at(-1)).toBe("end");
    expect(new Set(sightings.slice(0, -1))).toEqual(new Set(["pass"] as const));
    expect(observer.isWhole()).toBe(false);
    expect(observer.observed()).toMatchObject({
      usage: { inputTokens: 20, outputTokens: 30, reasoningTokens: 12 },
      origins: ["resp_68a1", "gAAAAABo-final=="],
    });
  });

  test.each(["reasoning", "calls"])(
    "%s: a skim of its deltas counts like a look at them",
    (name) => {
      const skim = watch(load(name));
      const look = watch(load(name), false);
      expect(skim.skimmed).toBeGreaterThan(5);
      const counted = skim.observer.observed().outputTokensEstimate;
      expect(counted).toBeGreaterThan(5);
      expect(Math.abs(counted - look.observer.observed().outputTokensEstimate)).toBeLessThan(1);
      expect(skim.observer.observed().usage).toEqual(look.observer.observed().usage);
    },
  );

  test("what we write ourselves can be skimmed", () => {
    const text = writeAll(new ResponsesStreamEncoder(frameOf()), textParts("a b c"));
    expect(watch(Buffer.from(text)).skimmed).toBe(3);
  });

  const type = "response.output_text.delta";
  const plain = `event: ${type}\ndata: {"type":"${type}","delta":"a \\"quoted\\\\\\\\ text"}\n\n`;

  test("only whole plain deltas are skimmed", () => {
    const skims = (text: string) => new ResponsesObserver().skim(bytesOf(text));
    expect(skims(plain)).toBe(true);
    expect(skims(plain + plain)).toBe(false);
    expect(skims(plain.replaceAll("\n", "\r\n"))).toBe(false);
    expect(skims(plain.replace("data:", "data: {}\rdata:"))).toBe(false);
    expect(skims(plain.trimEnd())).toBe(false);
    expect(skims(plain.replaceAll("delta", "done"))).toBe(false);
    expect(skims(plain.replace(`"type":"${type}"`, '"type":"response.completed"'))).toBe(false);
    expect(skims(`: keep-alive\n\n${plain}`)).toBe(false);
    expect(skims("")).toBe(false);
  });

  test("a skimmed delta is as long as its text, whatever stands around it", () => {
    const observer = new ResponsesObserver();
    observer.skim(bytesOf(plain.replace('"delta"', `"obfuscation":"${"x".repeat(99)}","delta"`)));
    const [event] = readEvents(plain);
    const { delta } = JSON.parse(event?.data ?? "") as { delta: string };
    expect(observer.observed().outputTokensEstimate).toBe(delta.length / 4);
  });

  test("an error, a failure and what is not JSON are faults", () => {
    const observer = new ResponsesObserver();
    const error = { code: "server_error", message: "it broke" };
    const usage = { input_tokens: 1, output_tokens: 2 };
    const failed = { type: "response.failed", response: { id: "resp_1", error, usage } };
    const fault = { kind: "fault", message: "it broke" } as const;
    expect(see(observer, failed)).toEqual(fault);
    expect(see(observer, { type: "error", message: "it broke" })).toEqual(fault);
    expect(observer.see({ event: null, data: "{" }).kind).toBe("fault");
    expect(observer.observed().usage).toMatchObject({ outputTokens: 2 });
  });

  test("a vendor that sends no deltas and no usage is still counted", () => {
    const observer = new ResponsesObserver();
    const output = [{ type: "message", content: [{ type: "output_text", text: "x".repeat(40) }] }];
    see(observer, { type: "response.completed", response: { output } });
    expect(observer.observed()).toEqual({ usage: null, outputTokensEstimate: 10, origins: [] });
  });
});

describe("a reply that passes through", () => {
  const output = [
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" },
    { type: "message", content: [{ type: "output_text", text: "x".repeat(40) }] },
    { type: "function_call", call_id: "c", name: "look", arguments: '{"a":12}' },
  ];

  test("is read for usage and for what must come back", () => {
    const usage = { input_tokens: 3, output_tokens: 5 };
    expect(responses.readReply({ id: "resp_1", output, usage })).toMatchObject({
      usage: { inputTokens: 3, outputTokens: 5 },
      outputTokensEstimate: 5,
      origins: ["resp_1", "gAAAA", "rs_1"],
    });
  });

  test("has no items to refer to when the vendor does not keep it", () => {
    const { origins } = responses.readReply({ id: "resp_1", output, store: false }) ?? {};
    expect(origins).toEqual(["resp_1", "gAAAA"]);
  });

  test("is estimated without usage", () => {
    expect(responses.readReply({ id: "resp_1", output })).toMatchObject({
      usage: null,
      outputTokensEstimate: 13,
    });
    expect(responses.replyTexts({ output })).toEqual(["x".repeat(40), "look", '{"a":12}']);
  });

  test("must have an output and must not have failed", () => {
    expect(responses.readReply({ id: "resp_1" })).toBeNull();
    expect(responses.readReply({ id: "resp_1", output, status: "failed" })).toBeNull();
    expect(responses.readReply(null)).toBeNull();
  });
});

test("the texts of a stream's events are what was generated, each once", () => {
  const text = eventsOf(load("calls").toString()).flatMap((event) => responses.replyTexts(event));
  expect(text.join("")).toBe('weathertime{"city{"zone":"":"{}Paris"}"}sql');
});

test("an error after the start is an event of its own, flat and wrapped", () => {
  const error = new GatewayError("bad_response", { message: "it broke" });
  const [event] = readEvents(new TextDecoder().decode(responses.encodeError(error, "r1")));
  expect(event?.event).toBe("error");
  expect(JSON.parse(event?.data ?? "")).toEqual({
    type: "error",
    sequence_number: 0,
    code: "bad_response",
    message: "it broke",
    param: null,
    error: { type: "server_error", code: "bad_response", message: "it broke", param: null },
  });
});

test.each<[JsonObject[], string, boolean]>([
  [[], "completed", true],
  [[{ type: "message", content: [{ type: "output_text", text: "" }] }], "completed", true],
  [[{ type: "reasoning", summary: [] }], "completed", true],
  [[{ type: "message", content: [{ type: "output_text", text: "a" }] }], "completed", false],
  [[{ type: "message", content: [{ type: "refusal", refusal: "no" }] }], "completed", false],
  [[{ type: "reasoning", summary: [{ text: "hm" }] }], "completed", false],
  [[{ type: "reasoning", summary: [], encrypted_content: "x" }], "completed", false],
  [[{ type: "function_call", name: "f" }], "completed", false],
  [[{ type: "web_search_call" }], "completed", false],
  [[], "incomplete", false],
])("X-U28 %j that is %s is empty: %p", (output, status, isEmpty) => {
  const response = { id: "resp_1", status, output };
  expect(responses.readReply(response)?.isEmpty ?? false).toBe(isEmpty);
  const last = new ResponsesObserver();
  see(last, { type: `response.${status}`, response });
  expect(last.isEmpty()).toBe(isEmpty);
  const piecewise = new ResponsesObserver();
  for (const item of output) see(piecewise, { type: "response.output_item.done", item });
  see(piecewise, { type: `response.${status}`, response: { ...response, output: [] } });
  expect(piecewise.isEmpty()).toBe(isEmpty);
});

test("T20 one that its vendor does not store is handed on with all its items", () => {
  const item = { type: "message", id: "msg_1", content: [{ type: "output_text", text: "a" }] };
  const played = (store: boolean | null, output: JsonObject[]) => {
    const observer = new ResponsesObserver();
    const response = { id: "resp_1", status: "completed", store };
    see(observer, { type: "response.created", response: { ...response, output: [] } });
    see(observer, { type: "response.output_item.done", item });
    see(observer, { type: "response.completed", response: { ...response, output } });
    return observer.unstored();
  };
  expect(played(false, [item])).toMatchObject({ id: "resp_1", output: [item] });
  expect(played(false, [])).toMatchObject({ id: "resp_1", output: [item] });
  expect(played(true, [item])).toBeNull();
  expect(played(null, [item])).toBeNull();
});

test("X-U26 an error of no type is a fault", () => {
  const fault = { kind: "fault", message: "Busy." } as const;
  expect(see(new ResponsesObserver(), { error: { message: "Busy." } })).toEqual(fault);
});
