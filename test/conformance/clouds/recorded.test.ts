// Replies that the clouds themselves gave, to clients of every format: what they say, what they
// call, why they end and what they cost. test/golden/recorded/SOURCES.md has where they are from.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "bun:test";
import { EventStreamCodec } from "@smithy/eventstream-codec";
import type { JsonObject } from "../../../src/core/json.ts";
import { readEvents } from "../../../src/core/sse.ts";
import { clients as allClients, type ClientName } from "../../golden/matrix.ts";
import { readContentReply } from "../../golden/wire/content.ts";
import { readers } from "../../golden/wire/index.ts";
import { readMessage } from "../../golden/wire/messages.ts";
import { readResponse } from "../../golden/wire/responses.ts";
import { at, type Told } from "../../golden/wire/told.ts";
import { logRow } from "../../harness/books.ts";
import { recordings, type Recording } from "../../harness/clouds/recordings.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { Vendor, type VendorReply } from "../../harness/vendor.ts";

const prices = recordings.map(
  (_, index) => `
  - model: recorded-${index}
    input_micros_per_million: 1000000
    output_micros_per_million: 100000000
    cache_read_micros_per_million: 100000
    cache_write_micros_per_million: 2000000`,
);
const config = `
sandbox: "off"
prices:${prices.join("")}
`;
const gateway = useStand(() => startGateway({ config }));

const typeOf = (file: string) => {
  if (file.endsWith(".body")) return "application/json";
  return file.endsWith(".sse") ? "text/event-stream" : "application/vnd.amazon.eventstream";
};
const bytesOf = (file: string) =>
  readFileSync(join(import.meta.dir, "../../golden/recorded", file));

function replay(file: string, reply: VendorReply, status = "200 OK", headers = ""): void {
  const bytes = bytesOf(file);
  const length = `content-length: ${bytes.length}`;
  reply.raw(`HTTP/1.1 ${status}\r\ncontent-type: ${typeOf(file)}\r\n${length}\r\n${headers}\r\n`);
  reply.raw(bytes);
}

/** The number of a recording stands first in the address. */
const vendor = kept(
  new Vendor(({ path }, reply) => {
    const [, index] = path.split("/");
    const { file } = at(recordings, Number(index));
    replay(file, reply);
  }),
);

const ownOf = ({ channel: { type, format } }: Recording) =>
  format ?? (type === "azure" ? "chat" : type === "vertex" ? "content" : "messages");

/** Longer than what was read from caches, since no vendor is believed to have read more. */
const prompt = "What is the weather in Florence? ".repeat(100);

async function ask(client: ClientName, model: string, stream: boolean): Promise<Response> {
  const messages = [{ role: "user", content: prompt }];
  const counted = stream ? { stream, stream_options: { include_usage: true } } : {};
  const bodies: Record<ClientName, [string, object]> = {
    chat: ["/v1/chat/completions", { model, messages, ...counted }],
    completions: ["/v1/completions", { model, prompt, ...counted }],
    messages: ["/v1/messages", { model, messages, stream, max_tokens: 4000 }],
    responses: ["/v1/responses", { model, input: prompt, stream }],
    content: [
      `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
      { contents: [{ role: "user", parts: [{ text: prompt }] }] },
    ],
  };
  return await gateway.post(...bodies[client]);
}

const ends: Readonly<Record<ClientName, Record<Recording["finish"], string>>> = {
  chat: { stop: "stop", length: "length", tool_calls: "tool_calls" },
  completions: { stop: "stop", length: "length", tool_calls: "stop" },
  messages: { stop: "end_turn", length: "max_tokens", tool_calls: "tool_use" },
  responses: { stop: "completed", length: "max_output_tokens", tool_calls: "completed" },
  content: { stop: "STOP", length: "MAX_TOKENS", tool_calls: "STOP" },
};

function expectTold({ choices, usage }: Told, client: ClientName, recording: Recording): void {
  const [choice] = choices;
  expect(choice?.text).toStartWith(recording.text);
  const called = choice?.calls.map(({ name, input }) => [name, JSON.parse(input) as object]);
  expect(called).toEqual(recording.calls);
  expect(choice?.finish).toBe(ends[client][recording.finish]);
  const { input, output, read = 0 } = recording.usage;
  expect(usage).toMatchObject({ inputTokens: input, outputTokens: output, cacheReadTokens: read });
}

async function expectCharged(response: Response, { usage }: Recording): Promise<void> {
  const { input, output, read = 0, write = 0 } = usage;
  const cost = Math.ceil(input - read - write + read / 10 + write * 2 + output * 100);
  expect(await logRow(gateway, response)).toMatchObject({
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: read,
    cache_write_tokens: write,
    cost_micros: cost,
    estimated: false,
  });
}

const wholeReaders: Partial<Record<ClientName, (reply: JsonObject) => Told>> = {
  messages: readMessage,
  responses: readResponse,
  content: readContentReply,
};

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
);
const cloudsOwn = "amazon-bedrock-invocationMetrics";

/** The JSON of each event, without what only the cloud's own clients are told. */
function recordedEvents(file: string): object[] {
  const bytes = bytesOf(file);
  if (!file.endsWith(".frames")) return eventsIn(bytes.toString(), !file.endsWith(".body"));
  const events: object[] = [];
  for (let start = 0; start < bytes.length; start += bytes.readUInt32BE(start)) {
    const frame = bytes.subarray(start, start + bytes.readUInt32BE(start));
    const chunk = JSON.parse(Buffer.from(codec.decode(frame).body).toString()) as { bytes: string };
    const event = JSON.parse(Buffer.from(chunk.bytes, "base64").toString()) as JsonObject;
    delete event[cloudsOwn];
    events.push(event);
  }
  return events;
}

function eventsIn(text: string, isStream: boolean): object[] {
  const bodies = isStream ? readEvents(text).map(({ data }) => data) : [text];
  return bodies.filter((data) => data !== "[DONE]").map((data) => JSON.parse(data) as object);
}

const numbered = recordings.map((recording, index) => ({ ...recording, index }));

describe.each(numbered)("what $upstream said in $file", (recording) => {
  const { file, index, upstream } = recording;
  const model = `recorded-${index}`;
  const isStream = !file.endsWith(".body");
  const own = ownOf(recording);

  beforeAll(async () => {
    await gateway.control(
      "POST",
      "/api/channel",
      vendor.channel({
        ...recording.channel,
        name: `recorded ${index}`,
        base_url: `${vendor.url}/${index}`,
        key: "an-api-key",
        vendor: recording.channel.type === "vertex" ? { project: "p", location: "global" } : {},
        models: [model],
        model_mapping: { [model]: upstream },
      }),
    );
  });

  const readable = isStream ? allClients : (["messages", "responses", "content"] as const);
  const converted = readable.filter((client) => client !== own && client !== "completions");
  test.each(converted)("is told to a client of %s and charged as recorded", async (client) => {
    const response = await ask(client, model, isStream);
    const text = await response.text();
    expect(response.status, text).toBe(200);
    const read = wholeReaders[client];
    const told = isStream || !read ? readers[client](text) : read(JSON.parse(text) as JsonObject);
    expectTold(told, client, recording);
    await expectCharged(response, recording);
  });

  const shared = allClients.filter((client) => client === own);
  test.each(shared)("passes to a client of %s as it came", async (client) => {
    const response = await ask(client, model, isStream);
    const text = await response.text();
    expect(eventsIn(text, isStream)).toMatchObject(recordedEvents(file));
    await expectCharged(response, recording);
  });
});

test("a model that Bedrock does not have is the channel's fault, and the next one answers", async () => {
  const errorType = "ValidationException:http://internal.amazon.com/coral/com.amazon.bedrock/";
  const refusing = new Vendor((_, reply) =>
    replay("bedrock-no-model.body", reply, "400 Bad Request", `x-amzn-errortype: ${errorType}\r\n`),
  );
  using _ = refusing;
  const index = recordings.findIndex(({ file }) => file === "converse-tool.body");
  const model = `recorded-${index}`;
  const common = { type: "bedrock", format: "converse", key: "an-api-key", models: [model] };
  const first = refusing.channel({ ...common, priority: 9 });
  await gateway.control("POST", "/api/channel", first);
  const response = await ask("messages", model, false);
  expect(await response.text()).toContain("Seattle");
  expect(refusing.requests.length).toBe(1);
});
