// Events as frames of Amazon's event stream, judged by Smithy's codec.
import { expect, test } from "bun:test";
import { EventStreamCodec } from "@smithy/eventstream-codec";
import { GatewayError } from "../../../core/errors.ts";
import { FrameSplitter } from "../../../core/frames/event-stream.ts";
import { FrameWriter, pingFrame } from "./frame-writer.ts";

const judge = new EventStreamCodec(
  (bytes) => new TextDecoder().decode(bytes instanceof Uint8Array ? bytes : Buffer.from(bytes)),
  (text) => new TextEncoder().encode(text),
);

/** The frames of some bytes, each with its headers and what its payload says. */
function framesIn(bytes: Uint8Array) {
  const splitter = new FrameSplitter();
  const count = splitter.push(bytes).length;
  expect([splitter.fault, splitter.pendingBytes]).toEqual([null, 0]);
  let rest = bytes;
  return Array.from({ length: count }, () => {
    const length = Buffer.from(rest).readUInt32BE(0);
    const { headers, body } = judge.decode(rest.subarray(0, length));
    rest = rest.subarray(length);
    const named = Object.entries(headers).map(([name, { value }]) => [name, value]);
    const payload: unknown = JSON.parse(new TextDecoder().decode(body));
    return { headers: Object.fromEntries(named) as Record<string, unknown>, payload };
  });
}

function dataOf(payload: unknown): unknown {
  const { bytes } = payload as { bytes: string };
  return JSON.parse(Buffer.from(bytes, "base64").toString());
}

const events = (...data: object[]) =>
  new TextEncoder().encode(
    data.map((one) => `event: x\ndata: ${JSON.stringify(one)}\n\n`).join(": quiet\n\n"),
  );

test("N41 each event is one chunk, whatever comes at once", () => {
  const said = [{ type: "message_start" }, { type: "ping" }, { text: "Schleuse, écluse, 水闸" }];
  for (const count of [0, 1, 3]) {
    const frames = framesIn(new FrameWriter().write(events(...said.slice(0, count))));
    expect(frames.map(({ payload }) => dataOf(payload))).toEqual(said.slice(0, count));
    for (const { headers } of frames) {
      expect(headers).toEqual({
        ":event-type": "chunk",
        ":content-type": "application/json",
        ":message-type": "event",
      });
    }
  }
});

test("N41 what fills a silence is an event that says nothing", () => {
  expect(framesIn(pingFrame).map(({ payload }) => dataOf(payload))).toEqual([{ type: "ping" }]);
});

const vendorSays = (upstreamStatus: number) =>
  new GatewayError("bad_response", { shown: { upstreamStatus, type: "error", code: null } });

test.each([
  [new GatewayError("bad_response", { message: "It broke." }), "modelStreamErrorException"],
  [new GatewayError("overloaded"), "serviceUnavailableException"],
  [new GatewayError("too_many_requests"), "throttlingException"],
  [new GatewayError("server_error"), "internalServerException"],
  [vendorSays(400), "validationException"],
  [vendorSays(429), "throttlingException"],
  [vendorSays(529), "modelStreamErrorException"],
])("N41 a failure is an exception: %p is %s", (error, type) => {
  expect(framesIn(new FrameWriter().fail(error))).toEqual([
    {
      headers: {
        ":exception-type": type,
        ":content-type": "application/json",
        ":message-type": "exception",
      },
      payload: { message: error.message },
    },
  ]);
});
