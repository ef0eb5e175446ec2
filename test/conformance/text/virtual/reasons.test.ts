// Reasons for a chain to go on: faults, load, a body over the window, and where it is asked for a
// content filter's refusal before any output.
import { beforeEach, describe, expect, test } from "bun:test";
import { dialects } from "../../../harness/dialects.ts";
import type { Dialect } from "../../../../src/formats/exchange.ts";
import { wires } from "../../../harness/wires.ts";
import {
  allWell,
  ask,
  fatesOf,
  memberOf,
  nameOf,
  rowOf,
  useChains,
  useVendors,
  type Place,
} from "./stand.ts";

const member = (dialect: Dialect, place: Place, more: object = {}) => ({
  model: memberOf(dialect, place),
  ...more,
});

const vendors = useVendors();
const gateway = useChains(vendors, {
  models: dialects.flatMap((dialect) => [
    {
      name: `${dialect}-safe`,
      members: [member(dialect, "first"), member(dialect, "second", { when: ["refused"] })],
    },
    {
      name: `${dialect}-short`,
      members: [
        member(dialect, "first", { window_tokens: 1000 }),
        member(dialect, "second", { when: ["load"] }),
        member(dialect, "third", { when: ["context"] }),
      ],
    },
    {
      name: `${dialect}-tiny`,
      members: [
        member(dialect, "first", { window_tokens: 10 }),
        member(dialect, "second", { window_tokens: 10 }),
      ],
    },
  ]),
});

beforeEach(() => allWell(vendors));

let known: Promise<string> | null = null;
/** A customer whose retries are enough for the few failures here. */
const customer = () => (known ??= gateway.customer(1_000_000_000).then(({ key }) => key));

/** A filter's ending in each dialect, with nothing before it. */
const filtered: Record<Dialect, { whole: object; events: string }> = {
  chat: {
    whole: {
      ...wires.chat.reply("", { input: 10, output: 0 }),
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: null },
          finish_reason: "content_filter",
        },
      ],
    },
    events:
      wires.chat.opening() +
      `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: {}, finish_reason: "content_filter" }] })}\n\ndata: [DONE]\n\n`,
  },
  responses: {
    whole: {
      ...wires.responses.reply("", { input: 10, output: 0 }),
      status: "incomplete",
      incomplete_details: { reason: "content_filter" },
      output: [],
    },
    events:
      wires.responses.announcement() +
      `event: response.incomplete\ndata: ${JSON.stringify({
        type: "response.incomplete",
        response: {
          ...wires.responses.reply("", { input: 10, output: 0 }),
          status: "incomplete",
          incomplete_details: { reason: "content_filter" },
          output: [],
        },
      })}\n\n`,
  },
  messages: {
    whole: {
      ...wires.messages.reply("", { input: 10, output: 0 }),
      content: [],
      stop_reason: "refusal",
    },
    events:
      wires.messages.announcement() +
      `event: message_delta\ndata: ${JSON.stringify({ type: "message_delta", delta: { stop_reason: "refusal", stop_sequence: null }, usage: { output_tokens: 0 } })}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n`,
  },
  content: {
    whole: {
      candidates: [{ index: 0, finishReason: "SAFETY" }],
      usageMetadata: { promptTokenCount: 10, totalTokenCount: 10 },
      modelVersion: "m",
    },
    events: `data: ${JSON.stringify({ candidates: [{ index: 0, finishReason: "SAFETY" }], usageMetadata: { promptTokenCount: 10, totalTokenCount: 10 }, modelVersion: "m" })}\n\n`,
  },
};

/** Each vendor's wording: by a code, or in words alone. */
const openai = (code: string) => ({
  error: { message: "x", type: "invalid_request_error", param: null, code },
});
const openaiRefusals = {
  filter: openai("content_filter"),
  window: openai("context_length_exceeded"),
};
const refusals: Record<Dialect, { filter: object; window: object }> = {
  chat: openaiRefusals,
  responses: openaiRefusals,
  messages: {
    filter: wires.messages.refusal(400, "Output blocked by content filtering policy"),
    window: wires.messages.refusal(400, "prompt is too long: 210000 tokens > 200000 maximum"),
  },
  content: {
    filter: wires.content.refusal(400, "The prompt was blocked by the safety filter."),
    window: wires.content.refusal(
      400,
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    ),
  },
};

const ways = dialects.flatMap((dialect) => [
  { dialect, stream: false },
  { dialect, stream: true },
]);

describe.each(ways)("of $dialect, stream $stream", ({ dialect, stream }) => {
  const { first, second, third } = vendors[dialect];

  test("V2 a filter's refusal goes on to a member that is meant for it, and to no other", async () => {
    first.mood = ({ body, path }, reply) => {
      if (body["stream"] !== true && !path.includes(":stream")) {
        return reply.json(filtered[dialect].whole);
      }
      reply.stream();
      reply.chunk(filtered[dialect].events);
      reply.end();
    };
    const key = await customer();
    const heard = await ask(gateway, { client: dialect, model: `${dialect}-safe`, stream, key });
    expect(heard.text).toContain(`second of ${dialect}`);
    expect(heard.text).not.toMatch(/content_filter|refusal|SAFETY/);
    expect(fatesOf(await rowOf(gateway, heard.id))).toEqual(["refused", "served"]);
    const plain = await ask(gateway, { client: dialect, model: nameOf(dialect), stream, key });
    expect(plain.text).not.toContain(`second of ${dialect}`);
  });

  test("V2 an error by which a filter refuses goes on as well", async () => {
    first.mood = (_request, reply) => reply.json(refusals[dialect].filter, 400);
    const key = await customer();
    const heard = await ask(gateway, { client: dialect, model: `${dialect}-safe`, stream, key });
    expect(heard.text).toContain(`second of ${dialect}`);
  });

  test("V2 what has begun to come is never taken back", async () => {
    first.mood = ({ body, path }, reply) => {
      if (body["stream"] !== true && !path.includes(":stream")) {
        return reply.json(wires[dialect].reply("Words.", { input: 10, output: 5 }));
      }
      reply.stream();
      reply.chunk(wires[dialect].opening() + wires[dialect].delta("Words."));
      reply.chunk(wires[dialect].ending("Words.", { input: 10, output: 5 }));
      reply.end();
    };
    const key = await customer();
    const heard = await ask(gateway, { client: dialect, model: `${dialect}-safe`, stream, key });
    expect(heard.text).toContain("Words.");
    expect(second.asked).toBe(0);
  });

  test("V2 a body over the window of a member is not sent to it, and takes no attempt", async () => {
    const fields = longBody(dialect);
    const key = await customer();
    const asked = { client: dialect, model: `${dialect}-short`, stream, key, fields };
    const heard = await ask(gateway, asked);
    expect(heard.text).toContain(`third of ${dialect}`);
    expect(first.asked).toBe(0);
    const row = await rowOf(gateway, heard.id);
    expect(row.attempts).toBe(1);
    expect(fatesOf(row)).toEqual(["too_long", "not_meant", "served"]);
  });

  test("V2 where no window is wide enough, the first vendor is asked all the same", async () => {
    const fields = longBody(dialect);
    const heard = await ask(gateway, { client: dialect, model: `${dialect}-tiny`, stream, fields });
    expect(heard.text).toContain(`first of ${dialect}`);
  });

  test("V2 a vendor's word that it is too long goes on to who is meant for that", async () => {
    first.mood = (_request, reply) => reply.json(refusals[dialect].window, 400);
    const key = await customer();
    const heard = await ask(gateway, { client: dialect, model: `${dialect}-short`, stream, key });
    expect(heard.text).toContain(`third of ${dialect}`);
    expect([second.asked, third.asked]).toEqual([0, 1]);
  });

  test("V2 a vendor that is busy is left for who is meant for that, and for no other", async () => {
    first.fails(429);
    const key = await customer();
    const heard = await ask(gateway, { client: dialect, model: `${dialect}-short`, stream, key });
    expect(heard.text).toContain(`second of ${dialect}`);
    expect(third.asked).toBe(0);
    gateway.pass(60);
  });
});

function longBody(dialect: Dialect): object {
  const text = "word ".repeat(4000);
  if (dialect === "content") return { contents: [{ role: "user", parts: [{ text }] }] };
  if (dialect === "responses") return { input: text };
  return { messages: [{ role: "user", content: text }] };
}
