// The operator's account at Amazon, in the words with which Bedrock refuses or breaks off: no client
// reads it, whole or in a stream, and operators read it in the attempts.
import { beforeAll, describe, expect, test } from "bun:test";
import { encodeFrame } from "../../../src/core/frames/event-stream.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { logRow } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { Vendor, type VendorScript } from "../../harness/vendor.ts";

const account = "123456789012";
const arn = `arn:aws:bedrock:us-east-1:${account}:application-inference-profile/abc`;
const words = `Access to ${arn} is denied for account ${account}.`;
const told = "Access to [resource] is denied for account [account].";

const vendor = kept(new Vendor((_request, reply) => reply.cut()));
const ways = { invoke: {}, converse: { format: "converse" } };
const channels = Object.entries(ways).map(([name, fields]) =>
  vendor.channel({
    name,
    type: "bedrock",
    models: [name],
    model_mapping: { [name]: "us.anthropic.claude-sonnet-4-5-20250929-v1:0" },
    ...fields,
  }),
);
const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels,
      unpriced: "free",
      distribution: { failures_to_eject: 1000 },
    }),
  }),
);
let customer: { id: string; key: string };

beforeAll(async () => {
  customer = await gateway.customer(100_000_000);
});

const refuses: VendorScript = (_request, reply) =>
  reply.json({ message: words }, 400, { "x-amzn-errortype": "ValidationException" });

const exception = encodeFrame(
  { ":message-type": "exception", ":exception-type": "modelStreamErrorException" },
  Buffer.from(JSON.stringify({ message: words })),
);

const event = (type: string, payload: object): Uint8Array =>
  encodeFrame(
    { ":message-type": "event", ":event-type": type },
    Buffer.from(JSON.stringify(payload)),
  );
const wrapped = (data: object) =>
  event("chunk", { bytes: Buffer.from(JSON.stringify(data)).toString("base64") });

/** The beginning of an answer on either wire. */
const openings: Record<string, Uint8Array[]> = {
  invoke: [
    wrapped({
      type: "message_start",
      message: { id: "m", role: "assistant", content: [], usage: { input_tokens: 1 } },
    }),
    wrapped({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    wrapped({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "One" } }),
  ],
  converse: [
    event("messageStart", { role: "assistant" }),
    event("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "One" } }),
  ],
};

function breaksOff(frames: readonly Uint8Array[]): VendorScript {
  return (_request, reply) => {
    const body = Buffer.concat([...frames, exception]);
    const type = "application/vnd.amazon.eventstream";
    reply.raw(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`);
    reply.raw(body);
  };
}

async function ask(client: Dialect, model: string, stream: boolean): Promise<Response> {
  const { path, body } = clients[client];
  const asked = body({ model, prompt: "Hello?" }, stream);
  return await gateway.post(path(model, stream), asked, customer.key);
}

async function expectHidden(response: Response): Promise<void> {
  const text = await response.text();
  expect(text).not.toContain(account);
  expect(text).not.toContain("arn:aws");
  await logRow(gateway, response);
  const id = response.headers.get("x-request-id") ?? "";
  const trace = await gateway.control("GET", `/api/log/${id}`);
  expect(JSON.stringify(trace)).toContain(account);
}

const pairs = dialects.flatMap((client) => Object.keys(ways).map((way) => ({ client, way })));

describe.each(pairs)("$way for a client of $client", ({ client, way }) => {
  test.each([false, true])("X-U34 hides the account in a refusal, streamed: %p", async (stream) => {
    vendor.script = refuses;
    const response = await ask(client, way, stream);
    expect(await response.clone().text()).toContain(told);
    await expectHidden(response);
  });

  test("X-U34 hides the account in an exception of a stream", async () => {
    vendor.script = breaksOff(openings[way] ?? []);
    const response = await ask(client, way, true);
    expect(await response.clone().text()).toContain(told);
    await expectHidden(response);
  });
});
