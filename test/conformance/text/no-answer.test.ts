// Answers that are none: empty ones, calls that cannot be read, and errors that come as bare JSON
// after a 200. They are tried elsewhere, or read as what they are, and cost nothing.
import { beforeEach, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { logRow } from "../../harness/books.ts";
import { eventsOf } from "../../harness/clients/client.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { StreamReader } from "../../harness/event-stream.ts";
import { startGateway } from "../../harness/gateway.ts";
import { Vendor, type VendorReply, type VendorScript } from "../../harness/vendor.ts";
import { answers, defaultCounts, wires } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendors = Object.fromEntries(
  dialects.map((dialect) => [dialect, kept(new Vendor((_request, reply) => reply.cut()))]),
) as Record<Dialect, Vendor>;
const spares = Object.fromEntries(
  dialects.map((dialect) => [dialect, kept(new Vendor(answers(dialect, "From the spare one.")))]),
) as Record<Dialect, Vendor>;
let customer: { id: string; key: string };

/** With `spare-` before a model's name a second vendor stands behind the first. */
const channels = dialects.flatMap((dialect) => [
  vendors[dialect].channel({
    name: dialect,
    ...wires[dialect].channel,
    models: [dialect, `spare-${dialect}`],
    priority: 1,
  }),
  spares[dialect].channel({
    name: `spare ${dialect}`,
    ...wires[dialect].channel,
    models: [`spare-${dialect}`],
  }),
]);

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels,
      prices: dialects
        .flatMap((dialect) => [dialect, `spare-${dialect}`])
        .map((model) => ({ model, input_micros_per_million: 1e6, output_micros_per_million: 1e6 })),
      distribution: { failures_to_eject: 1000, retry_budget_percent: 100 },
    }),
  }),
);

// Nobody has used up what an account may waste.
beforeEach(async () => {
  customer = await gateway.customer(100_000_000);
});

interface Asked {
  client: Dialect;
  upstream: Dialect;
  stream: boolean;
  spare?: boolean;
  fields?: JsonObject;
}

async function ask({ client, upstream, stream, spare = false, fields = {} }: Asked) {
  const model = `${spare ? "spare-" : ""}${upstream}`;
  const { path, body } = clients[client];
  return await gateway.post(
    path(model, stream),
    { ...body({ model, prompt: "Hello?" }, stream), ...fields },
    customer.key,
  );
}

async function readText(asked: Asked): Promise<string> {
  const response = await ask(asked);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  const { assemble, read } = clients[asked.client];
  return read(asked.stream ? assemble(text) : (JSON.parse(text) as JsonObject)).text;
}

/** The vendor says this, whatever it is asked for. */
function says(upstream: Dialect, whole: object, streamed: string): void {
  vendors[upstream].script = ({ body, path }, reply) => {
    if (body["stream"] !== true && !path.includes(":stream")) return reply.json(whole);
    reply.stream();
    reply.chunk(streamed);
    reply.end();
  };
}

async function expectFailed(asked: Asked, message: unknown): Promise<void> {
  const response = await ask(asked);
  expect([asked, response.status]).toEqual([asked, 500]);
  expect(await response.json()).toMatchObject({ error: { message } });
  expect(await logRow(gateway, response)).toMatchObject({ micros: 0, outcome: "upstream_error" });
}

const ways = [true, false];
const pairs = dialects.flatMap((client) => dialects.map((upstream) => ({ client, upstream })));
const empty = "The upstream's answer is empty.";

const nothing = (upstream: Dialect) => {
  const { opening, ending } = wires[upstream];
  return opening() + ending("", null);
};

describe.each(pairs)("an empty answer of $upstream to a client of $client", (pair) => {
  const { upstream } = pair;

  test("X-U28 is answered by the next channel, and is an error where there is none", async () => {
    says(upstream, wires[upstream].reply("", null), nothing(upstream));
    for (const stream of ways) {
      expect(await readText({ ...pair, stream, spare: true })).toBe("From the spare one.");
      await expectFailed({ ...pair, stream }, empty);
    }
  });
});

describe.each(["chat", "responses", "messages"] as const)("an empty stream of %s", (upstream) => {
  test("X-U28 after its announcement was shown ends in an error, and is free", async () => {
    const { promise: seen, resolve: saw } = Promise.withResolvers<void>();
    vendors[upstream].script = async (_request, reply) => {
      reply.stream();
      reply.chunk(wires[upstream].announcement());
      await seen;
      reply.chunk(wires[upstream].ending("", { input: 10, output: 0 }));
      reply.end();
    };
    const response = await ask({ client: upstream, upstream, stream: true });
    const reader = new StreamReader(response);
    await reader.until("\n\n");
    saw();
    const text = await reader.rest();
    expect(JSON.stringify(eventsOf(text).at(-1))).toContain(empty);
    expect(text).not.toMatch(/\[DONE\]|message_stop|response\.completed/);
    expect(await logRow(gateway, response)).toMatchObject({
      micros: 0,
      error_code: "bad_response",
    });
  });
});

describe("an answer without words", () => {
  test("X-U28 whose end says why is an answer", async () => {
    const cut = { ...wires.chat.reply("", defaultCounts) } as { choices: JsonObject[] };
    const choices = cut.choices.map((choice) => ({ ...choice, finish_reason: "length" }));
    const streamed = `${wires.chat.opening()}${wires.chat
      .ending("", defaultCounts)
      .replace('"stop"', '"length"')}`;
    says("chat", { ...cut, choices }, streamed);
    for (const client of dialects) {
      for (const stream of ways) {
        expect(await readText({ client, upstream: "chat", stream })).toBe("");
      }
    }
  });

  test("X-U28 to a request that names where to stop is an answer, and is charged", async () => {
    const { opening, ending, reply } = wires.chat;
    says("chat", reply("", defaultCounts), opening() + ending("", defaultCounts));
    const asks: [Dialect, JsonObject][] = [
      ["chat", { stop: ["."] }],
      ["messages", { stop_sequences: ["."] }],
      ["content", { generationConfig: { stopSequences: ["."] } }],
    ];
    for (const [client, fields] of asks) {
      for (const stream of ways) {
        const response = await ask({ client, upstream: "chat", stream, fields });
        expect(response.status).toBe(200);
        await response.text();
        expect(await logRow(gateway, response)).toMatchObject({ outcome: "ok", micros: 30 });
      }
    }
  });
});

describe.each([...dialects])("a call of Google's to a client of %s", (client) => {
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 30 };
  const candidate = (finishReason: string, parts: JsonObject[]) => ({
    candidates: [{ content: { role: "model", parts }, finishReason, index: 0 }],
    usageMetadata,
  });
  const plays = (body: object) => says("content", body, `data: ${JSON.stringify(body)}\n\n`);

  test("X-U27 that cannot be read is a failed attempt where there is nothing else", async () => {
    plays(candidate("MALFORMED_FUNCTION_CALL", []));
    for (const stream of ways) {
      const asked = { client, upstream: "content", stream } as const;
      expect(await readText({ ...asked, spare: true })).toBe("From the spare one.");
      await expectFailed(asked, empty);
    }
    plays(candidate("MALFORMED_FUNCTION_CALL", [{ text: "I call" }]));
    for (const stream of ways) {
      const text = await (await ask({ client, upstream: "content", stream })).text();
      expect(text).toContain("I call");
    }
  });

  test("X-S30 that was not expected is a call", async () => {
    const functionCall = { name: "get_weather", args: { city: "Paris" } };
    plays(candidate("UNEXPECTED_TOOL_CALL", [{ functionCall }]));
    for (const stream of ways) {
      const response = await ask({ client, upstream: "content", stream });
      const text = await response.text();
      const { assemble, read } = clients[client];
      const answered = read(stream ? assemble(text) : (JSON.parse(text) as JsonObject));
      expect(answered.calls).toMatchObject([{ name: "get_weather", input: { city: "Paris" } }]);
      const passed = client === "content" ? "UNEXPECTED_TOOL_CALL" : stops[client];
      expect(answered.stop).toBe(passed);
    }
  });
});

const stops: Readonly<Record<Dialect, string>> = {
  chat: "tool_calls",
  responses: "completed",
  messages: "tool_use",
  content: "STOP",
};

const spoken = "One two three.";

/** Words, and then what goes wrong. */
function begins(upstream: Dialect, thenDo: (reply: VendorReply) => void): VendorScript {
  return (_request, reply) => {
    reply.stream();
    reply.chunk(wires[upstream].opening() + wires[upstream].delta(spoken));
    thenDo(reply);
    reply.end();
  };
}

test("X-S31 a second start of a message is an error for every client", async () => {
  vendors.messages.script = begins("messages", (reply) => {
    reply.chunk(wires.messages.opening() + wires.messages.delta("Another."));
    reply.chunk(wires.messages.ending("Another.", defaultCounts));
  });
  for (const client of dialects) {
    const text = await (await ask({ client, upstream: "messages", stream: true })).text();
    expect(text).toContain(spoken);
    expect(text).not.toContain("Another.");
    expect(JSON.stringify(eventsOf(text).at(-1))).toContain("began a second message");
  }
});

test("X-S31 a start that comes twice with one id, and nothing between, is let by", async () => {
  const { announcement, opening, delta, ending } = wires.messages;
  vendors.messages.script = (_request, reply) => {
    reply.stream();
    reply.chunk(announcement());
    reply.chunk(opening() + delta(spoken) + ending(spoken, defaultCounts));
    reply.end();
  };
  for (const client of dialects) {
    const response = await ask({ client, upstream: "messages", stream: true });
    const text = await response.text();
    expect(clients[client].read(clients[client].assemble(text)).text).toBe(spoken);
    if (client === "messages") expect(text.split('"message_start"').length - 1).toBe(1);
    expect(await logRow(gateway, response)).toMatchObject({ outcome: "ok", micros: 30 });
  }
});

const busy = {
  error: { code: 429, message: "Slow down, sk-vendor-secret-0000.", type: "rate_limit_error" },
};

describe.each(pairs)("bare JSON of $upstream for a client of $client", (pair) => {
  const { upstream } = pair;

  test("X-U26 behind the last event is the vendor's error, with its status and words", async () => {
    const raw = JSON.stringify(busy);
    const listed = `[${JSON.stringify(busy, null, 2)}]`;
    for (const said of [raw, `${raw}\n\n`, `${raw}\n`, listed]) {
      vendors[upstream].script = begins(upstream, (reply) => reply.chunk(said));
      const text = await (await ask({ ...pair, stream: true })).text();
      expect(text).toContain(spoken);
      expect(text).not.toContain("sk-vendor-secret-0000");
      const last = JSON.stringify(eventsOf(text).at(-1));
      expect(last).toContain("Slow down, ");
      expect(last).toContain("429");
      expect(last).toContain("rate_limit_error");
      expect(text).not.toMatch(/\[DONE\]|message_stop|response\.completed|finishReason/);
    }
  });

  test("X-U26 in place of the events is judged as an answer of that status", async () => {
    const wrong = wires[upstream].refusal(400, "No such thing.");
    const gone = wires[upstream].refusal(500, "All is lost.");
    const asked = { ...pair, stream: true };
    for (const type of ["text/event-stream", "application/json"]) {
      const plays = (body: object) => {
        vendors[upstream].script = (_request, reply) =>
          reply.json(body, 200, { "content-type": type });
      };
      plays(wrong);
      const response = await ask({ ...asked, spare: true });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { message: "No such thing." } });
      plays(gone);
      expect(await readText({ ...asked, spare: true })).toBe("From the spare one.");
      await expectFailed(asked, "All is lost.");
    }
  });
});

describe.each([...dialects])("a chat stream without its marker for a client of %s", (client) => {
  const isChat = client === "chat";
  const asked: Asked = { client, upstream: "chat", stream: true };
  const marker = "data: [DONE]\n\n";

  test("X-U29 is whole where it closes after the finish reason", async () => {
    const ending = wires.chat.ending(spoken, defaultCounts).replace(marker, "");
    // One event in a piece is passed unread, which must not lose the end.
    for (const cuts of [[ending], ending.split(/(?<=\n\n)/)]) {
      vendors.chat.script = begins("chat", (reply) => cuts.forEach((cut) => reply.chunk(cut)));
      const response = await ask(asked);
      const text = await response.text();
      expect(clients[client].read(clients[client].assemble(text)).text).toBe(spoken);
      expect(text.split(marker).length - 1).toBe(isChat ? 1 : 0);
      if (isChat) expect(text).toEndWith(marker);
      expect(await logRow(gateway, response)).toMatchObject({ outcome: "ok", micros: 30 });
    }
  });

  test("X-U29 is whole without a usage, too", async () => {
    const ending = wires.chat.ending(spoken, null).replace(marker, "");
    const more = wires.chat.delta(" Four.") + wires.chat.delta(" Five.");
    vendors.chat.script = begins("chat", (reply) => {
      for (const cut of `${more}${ending}`.split(/(?<=\n\n)/)) reply.chunk(cut);
    });
    expect(await readText(asked)).toBe(`${spoken} Four. Five.`);
  });
});

test("X-U29 of two answers both must have ended", async () => {
  const chunk = (index: number, delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: "c", choices: [{ index, delta, finish_reason: finish }] })}\n\n`;
  const all = [0, 1].map((index) => chunk(index, { role: "assistant", content: "Hello." }, null));
  const played = async (...ends: string[]) => {
    vendors.chat.script = (_request, reply) => {
      reply.stream();
      for (const piece of [...all, ...ends]) reply.chunk(piece);
      reply.end();
    };
    const text = ask({ client: "chat", upstream: "chat", stream: true, fields: { n: 2 } });
    return (await text).text();
  };
  expect(await played(chunk(0, {}, "stop"))).toContain("broke the stream off");
  expect(await played(chunk(0, {}, "stop"), chunk(1, {}, "length"))).toEndWith("[DONE]\n\n");
});
