// One model behind channels of different dialects: which one is asked, who is asked next, and what
// happens to what a dialect cannot say.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { errorOf, tally } from "../../harness/ask.ts";
import { eventually } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { type Gateway, startGateway } from "../../harness/gateway.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers, refuses, wires } from "../../harness/wires.ts";

setDefaultTimeout(60_000);

const vendors = Object.fromEntries(
  dialects.map((dialect) => [dialect, new Vendor(answers(dialect, `From ${dialect}.`))]),
) as Record<Dialect, Vendor>;
let gateway: Gateway;

function channel(dialect: Dialect, model: string, fields: object = {}): object {
  const name = `${model} ${dialect}`;
  return vendors[dialect].channel({ name, models: [model], ...wires[dialect].channel, ...fields });
}

/** Every order of two dialects is a model: the first is tried first. */
const orders = dialects.flatMap((first) =>
  dialects.filter((second) => second !== first).map((second) => [first, second] as const),
);

beforeAll(async () => {
  const channels = [
    ...dialects.map((dialect) => channel(dialect, "equal")),
    ...dialects.map((dialect) => channel(dialect, `only-${dialect}`)),
    ...orders.flatMap(([first, second]) => [
      channel(first, `${first}-${second}`, { priority: 1 }),
      channel(second, `${first}-${second}`),
    ]),
    ...Array.from({ length: 6 }, (_, at) =>
      channel("messages", "many", { name: `many ${at}`, priority: 1 }),
    ),
    channel("content", "many"),
    channel("content", "mapped", {
      model_mapping: { mapped: "vendor-name" },
      parameters: { set: { labels: { team: "a" } }, remove: ["safetySettings"] },
      headers: { "x-extra": "yes" },
    }),
  ];
  gateway = await startGateway({
    config: JSON.stringify({
      channels,
      unpriced: "free",
      distribution: { failures_to_eject: 1_000_000, retry_budget_percent: 100 },
    }),
  });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  for (const vendor of Object.values(vendors)) vendor[Symbol.dispose]();
});

function reset(): void {
  for (const dialect of dialects) {
    vendors[dialect].script = answers(dialect, `From ${dialect}.`);
    vendors[dialect].requests.length = 0;
  }
}

async function ask(
  client: Dialect,
  model: string,
  isStream = false,
  at: Gateway = gateway,
): Promise<string> {
  const { path, body, read, assemble } = clients[client];
  const response = await at.post(path(model, isStream), body({ model, prompt: "Hi." }, isStream));
  const text = await response.text();
  if (response.status !== 200) return `${response.status}`;
  return read(isStream ? assemble(text) : (JSON.parse(text) as JsonObject)).text;
}

async function chat(model: string, fields: JsonObject): Promise<Response> {
  const messages = [{ role: "user", content: "Hi." }];
  return await gateway.post("/v1/chat/completions", { model, messages, ...fields });
}

describe("among channels", () => {
  test.each([...dialects])(
    "D1 of one priority a client of %s gets its own dialect",
    async (client) => {
      reset();
      const texts = await Promise.all(
        Array.from({ length: 12 }, (_, at) => ask(client, "equal", at % 2 === 0)),
      );
      expect(tally(texts)).toEqual(new Map([[`From ${client}.`, 12]]));
    },
  );

  test("D1 a higher priority counts for more than a client's own dialect", async () => {
    reset();
    for (const [first, second] of orders) {
      expect(await ask(second, `${first}-${second}`)).toBe(`From ${first}.`);
    }
  });

  test("D1 of one priority the others are asked when the client's own fails", async () => {
    reset();
    for (const client of dialects) {
      vendors[client].script = refuses(client, 500, "Out of order.");
      const others = dialects.filter((dialect) => dialect !== client);
      expect(await ask(client, "equal")).toBeOneOf(others.map((dialect) => `From ${dialect}.`));
      vendors[client].script = answers(client, `From ${client}.`);
    }
  });

  test.each([...dialects])(
    "Q7 a client of %s is led from any dialect to any other",
    async (client) => {
      for (const [first, second] of orders) {
        for (const isStream of [false, true]) {
          reset();
          vendors[first].script = refuses(first, isStream ? 503 : 500, "Out of order.");
          expect(await ask(client, `${first}-${second}`, isStream)).toBe(`From ${second}.`);
          expect(vendors[first].requests).toHaveLength(1);
          expect(vendors[second].requests).toHaveLength(1);
        }
      }
    },
  );

  test("D2 a key that Google refuses with a 400 is its own fault, not the client's", async () => {
    reset();
    const { id } = await gateway.control<{ id: string }>(
      "POST",
      "/api/channel",
      channel("content", "keyless", { priority: 1 }),
    );
    await gateway.control("POST", "/api/channel", channel("chat", "keyless"));
    vendors.content.script = (_request, reply) =>
      reply.json(
        {
          error: {
            code: 400,
            message: "API key not valid.",
            status: "INVALID_ARGUMENT",
            details: [{ "@type": "x", reason: "API_KEY_INVALID" }],
          },
        },
        400,
      );
    for (let round = 0; round < 3; round++)
      expect(await ask("messages", "keyless", false, gateway.first)).toBe("From chat.");
    expect(vendors.content.requests).toHaveLength(1);
    const keys = await eventually("the mark", async () => {
      const shown = await gateway.control<{ keys: { status: string }[] }>(
        "GET",
        `/api/channel/${id}`,
      );
      return shown.keys[0]?.status === "enabled" ? undefined : shown.keys;
    });
    expect(keys).toMatchObject([{ status: "disabled" }]);
    // Then no other node tries it either.
    await gateway.agreed();
    for (let round = 0; round < 3; round++)
      expect(await ask("messages", "keyless")).toBe("From chat.");
    expect(vendors.content.requests).toHaveLength(1);
  });

  test("D1 a mapped name, parameters and headers reach a converted upstream in its words", async () => {
    reset();
    expect(await ask("chat", "mapped")).toBe("From content.");
    const [request] = vendors.content.requests;
    expect(request?.path).toBe("/v1beta/models/vendor-name:generateContent");
    expect(request?.headers["x-extra"]).toBe("yes");
    expect(request?.body).toMatchObject({ labels: { team: "a" } });
    const response = await chat("mapped", {});
    expect(await response.json()).toMatchObject({ model: "mapped" });
  });
});

describe("what a dialect cannot say", () => {
  test("X-P15 is left out for one channel, and reaches the next as the client sent it", async () => {
    reset();
    vendors.messages.script = refuses("messages", 500, "Out of order.");
    const fields = { seed: 7, temperature: 1.5, presence_penalty: 0.5, max_tokens: 50 };
    const response = await chat("messages-content", fields);
    expect(response.status).toBe(200);
    expect(vendors.messages.requests[0]?.body).toMatchObject({ temperature: 1, max_tokens: 50 });
    expect(vendors.messages.requests[0]?.body).not.toHaveProperty("seed");
    expect(vendors.content.requests[0]?.body).toMatchObject({
      generationConfig: { seed: 7, temperature: 1.5, presencePenalty: 0.5, maxOutputTokens: 50 },
    });
    expect(response.headers.get("x-sluice-ignored")).toBeNull();
  });

  test("T16 is named in a header when it is a mere hint", async () => {
    reset();
    const fields = { seed: 7, frequency_penalty: 0.1, store: true, verbosity: "low" };
    for (const stream of [false, true]) {
      const response = await chat("only-messages", { ...fields, stream });
      expect(response.status).toBe(200);
      const named = (response.headers.get("x-sluice-ignored") ?? "").split(", ");
      expect(named.toSorted()).toEqual(["frequency_penalty", "seed", "store", "verbosity"]);
      await response.text();
    }
    const own = await chat("only-chat", fields);
    expect(own.headers.get("x-sluice-ignored")).toBeNull();
    expect(vendors.chat.requests[0]?.body).toMatchObject(fields);
  });

  test("T16 leads to a channel that can, without trying the one that cannot", async () => {
    reset();
    const response = await chat("messages-content", { n: 2 });
    expect(response.status).toBe(200);
    expect(vendors.messages.requests).toHaveLength(0);
    expect(vendors.content.requests[0]?.body).toMatchObject({
      generationConfig: { candidateCount: 2 },
    });
    const biased = await chat("content-chat", { logit_bias: { "50256": -100 } });
    expect(biased.status).toBe(200);
    expect(vendors.content.requests).toHaveLength(1);
    expect(vendors.chat.requests[0]?.body).toMatchObject({ logit_bias: { "50256": -100 } });
  });

  test.each([
    ["chat", "messages", { n: 2 }, "n"],
    ["chat", "responses", { n: 2 }, "n"],
    ["chat", "messages", { logprobs: true }, "logprobs"],
    ["chat", "content", { logit_bias: { "1": 1 } }, "logit_bias"],
    ["chat", "responses", { stop: ["END"] }, "stop"],
    ["messages", "responses", { stop_sequences: ["END"] }, "stop_sequences"],
    [
      "content",
      "responses",
      { generationConfig: { stopSequences: ["END"] } },
      "generationConfig.stopSequences",
    ],
    ["content", "messages", { cachedContent: "cachedContents/1" }, "cachedContent"],
    ["responses", "chat", { conversation: "conv_1" }, "conversation"],
    ["responses", "content", { prompt: { id: "pmpt_1" } }, "prompt.id"],
  ] as const)(
    "T16 of %s on %s: %j is a 400 that names %s",
    async (client, upstream, fields, param) => {
      reset();
      const model = `only-${upstream}`;
      const { path, body } = clients[client];
      const asked = { ...body({ model, prompt: "Hi." }, false), ...(fields as JsonObject) };
      const response = await gateway.post(path(model, false), asked);
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toMatchObject({
        type: "invalid_request_error",
        param,
        code: "invalid_request",
      });
      expect(vendors[upstream].requests).toHaveLength(0);
    },
  );

  test("T16 is no attempt: however many channels cannot, the one that can is reached", async () => {
    reset();
    expect((await chat("many", { n: 2 })).status).toBe(200);
    expect(vendors.messages.requests).toHaveLength(0);
    expect(vendors.content.requests).toHaveLength(1);
    vendors.content.script = refuses("content", 500, "Out of order.");
    const failed = await chat("messages-content", { n: 2 });
    expect(failed.status).toBe(500);
    expect((await errorOf(failed)).code).toBe("bad_response");
  });

  test("T16 of no channel is the client's fault: none of them is put aside for it", async () => {
    reset();
    for (let round = 0; round < 8; round++)
      expect((await chat("only-messages", { n: 2 })).status).toBe(400);
    expect(await ask("chat", "only-messages")).toBe("From messages.");
  });
});

describe("a vendor's own refusal", () => {
  const message = "`temperature` is deprecated for this model.";

  test.each([...dialects])(
    "T17 reaches a client of %s with its words, and is not tried again",
    async (client) => {
      for (const upstream of dialects) {
        reset();
        const [second = "chat"] = dialects.filter((dialect) => dialect !== upstream);
        const model = `${upstream}-${second}`;
        vendors[upstream].script = refuses(upstream, 400, message);
        for (const isStream of [false, true]) {
          const { path, body } = clients[client];
          const asked = body({ model, prompt: "Hi." }, isStream);
          const response = await gateway.post(path(model, isStream), asked);
          expect(response.status).toBe(400);
          const { error, ...rest } = (await response.json()) as { error: JsonObject };
          expect(error).toMatchObject({ message, type: "invalid_request_error" });
          expect("request_id" in rest).toBe(client === "messages");
          expect(error["status"]).toBe(client === "content" ? "INVALID_ARGUMENT" : undefined);
        }
        expect(vendors[upstream].requests).toHaveLength(2);
        expect(vendors[second].requests).toHaveLength(0);
      }
    },
  );

  test("T17 temperature is sent as it was said, to every dialect", async () => {
    for (const temperature of [0, 0.3, 1]) {
      reset();
      for (const upstream of dialects) {
        expect((await chat(`only-${upstream}`, { temperature, top_p: 0.9 })).status).toBe(200);
      }
      const { chat: own, responses, messages, content } = vendors;
      for (const { requests } of [own, responses, messages]) {
        expect(requests[0]?.body).toMatchObject({ temperature, top_p: 0.9 });
      }
      const config = { temperature, topP: 0.9 };
      expect(content.requests[0]?.body).toMatchObject({ generationConfig: config });
    }
  });
});
