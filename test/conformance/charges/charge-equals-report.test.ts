// Over every reply of a vendor that is kept here, to clients of every format: the charge is what
// the vendor reports. The exceptions stand in a list, each with its reason.
import { expect, test } from "bun:test";
import { clients, type ClientName } from "../../golden/matrix.ts";
import { at } from "../../golden/wire/told.ts";
import type { LogRow } from "../../harness/books.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { readVendorReplies } from "../../harness/replies/vendor-replies.ts";
import { reportOf } from "../../harness/replies/vendor-report.ts";
import { Vendor } from "../../harness/vendor.ts";

/** A reply that is reported as nothing, or not at all, is counted: other tests have that. */
const replies = readVendorReplies().flatMap((reply) => {
  const report = reportOf(reply.dialect, reply.events);
  return report && report.output > 0 ? [{ ...reply, report }] : [];
});
type ReportedReply = (typeof replies)[number];
const modelAt = (index: number) => `reply-${index}`;

/** The number of a reply stands first in the address of its channel. */
const vendor = kept(
  new Vendor(({ path }, reply) => {
    const { contentType, bytes } = at(replies, Number(path.split("/")[1]));
    const headers = `content-type: ${contentType}\r\ncontent-length: ${bytes.length}`;
    reply.raw(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`);
    reply.raw(bytes);
  }),
);

/** Micros for a token. */
const price = { input: 1, output: 100, cacheRead: 0.1, cacheWrite: 2 };

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      sandbox: "off",
      channels: replies.map(({ channel, upstream }, index) =>
        vendor.channel({
          ...channel,
          name: modelAt(index),
          base_url: `${vendor.url}/${index}`,
          key: "an-api-key",
          vendor: channel.type === "vertex" ? { project: "p", location: "global" } : {},
          models: [modelAt(index)],
          model_mapping: { [modelAt(index)]: upstream },
        }),
      ),
      prices: replies.map((_, index) => ({
        model: modelAt(index),
        input_micros_per_million: price.input * 1e6,
        output_micros_per_million: price.output * 1e6,
        cache_read_micros_per_million: price.cacheRead * 1e6,
        cache_write_micros_per_million: price.cacheWrite * 1e6,
      })),
      distribution: { failures_to_eject: 1000 },
    }),
  }),
);

/** Longer than what was read from caches, since no vendor is believed to have read more. */
const prompt = "What is the weather in Florence? ".repeat(100);

function bodyOf(client: ClientName, model: string, stream: boolean): [path: string, body: object] {
  const messages = [{ role: "user", content: prompt }];
  const counted = stream ? { stream, stream_options: { include_usage: true } } : {};
  const bodies: Record<ClientName, [string, object]> = {
    chat: ["/v1/chat/completions", { model, messages, ...counted }],
    completions: ["/v1/completions", { model, prompt, max_tokens: 4000, ...counted }],
    messages: ["/v1/messages", { model, messages, stream, max_tokens: 4000 }],
    responses: ["/v1/responses", { model, input: prompt, stream }],
    content: [
      `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
      { contents: [{ role: "user", parts: [{ text: prompt }] }] },
    ],
  };
  return bodies[client];
}

interface Charged {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  isEstimated: boolean;
  micros: number | null;
}

async function sendAll(): Promise<{ reply: ReportedReply; client: ClientName; id: string }[]> {
  const sent = [];
  for (const [index, reply] of replies.entries()) {
    const answers = clients.map(async (client) => {
      const [path, body] = bodyOf(client, modelAt(index), reply.isStream);
      const response = await gateway.post(path, body);
      await response.arrayBuffer();
      return { reply, client, id: response.headers.get("x-request-id") ?? "" };
    });
    sent.push(...(await Promise.all(answers)));
  }
  return sent;
}

async function chargesById(): Promise<Map<string, Charged>> {
  const charges = new Map<string, Charged>();
  for (let cursor = ""; ;) {
    const path = `/api/log?page_size=100${cursor && `&cursor=${cursor}`}`;
    const page = await gateway.control<{ items: LogRow[]; next: string | null }>("GET", path);
    for (const row of page.items) {
      charges.set(row.request_id, {
        input: row.input_tokens,
        output: row.output_tokens,
        cacheRead: row.cache_read_tokens,
        cacheWrite: row.cache_write_tokens,
        isEstimated: row.estimated,
        micros: row.cost_micros,
      });
    }
    if (!page.next) return charges;
    cursor = page.next;
  }
}

function expectedCharge({ report: { fetched = 0, ...report } }: ReportedReply): Charged {
  const { input, output, cacheRead, cacheWrite } = report;
  const plainInput = input + fetched - cacheRead - cacheWrite;
  const micros = Math.ceil(
    plainInput * price.input +
      output * price.output +
      cacheRead * price.cacheRead +
      cacheWrite * price.cacheWrite,
  );
  return { ...report, isEstimated: false, micros };
}

/** Replies that are not charged as reported, by name, and why. */
const exceptions: Readonly<Record<string, string>> = {
  ...named("the call cannot be read, so no answer was delivered", [
    "golden content stream: unreadable-call",
    "golden content whole: unreadable call",
    "golden converse stream: unreadable-call",
    "golden converse whole: unreadable call",
  ]),
  ...named("legacy completions show no thoughts, so no answer was delivered", [
    "golden content stream: unreadable-call-after-a-thought",
  ]),
  ...named("more input is reported than the prompt can have had", [
    "golden converse stream: context-full",
    "golden converse whole: context full",
    "golden messages stream: context-full",
    "golden messages whole: context full",
  ]),
  ...named("the stream ends in an error before its last report", [
    "golden messages stream: second-start",
  ]),
};

function named(reason: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}

test("the charge is what the vendor reports, in every client's format, whole and streamed", async () => {
  const sent = await sendAll();
  const charges = await chargesById();
  const differing = new Map<string, string[]>();
  for (const { reply, client, id } of sent) {
    const expected = expectedCharge(reply);
    const charged = charges.get(id);
    if (Bun.deepEquals(charged, expected)) continue;
    const told = `${client}: charged ${JSON.stringify(charged)}, reported ${JSON.stringify(expected)}`;
    differing.set(reply.name, [...(differing.get(reply.name) ?? []), told]);
  }
  const unexplained = [...differing].filter(([name]) => !(name in exceptions));
  expect(Object.fromEntries(unexplained)).toEqual({});
  const needless = Object.keys(exceptions).filter((name) => !differing.has(name));
  expect(needless).toEqual([]);
  expect(replies.length).toBeGreaterThan(150);
});
