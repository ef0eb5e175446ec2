// Every text format on every dialect that upstreams speak: four clients, four vendors, one meaning.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { logRow } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import type { Answered, Ask } from "../../harness/clients/client.ts";
import { dialects, modelOf, startDialects } from "../../harness/dialects.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const stand = useStand(() => startDialects());

interface Seen {
  response: Response;
  body: JsonObject;
  reply: JsonObject;
  answered: Answered;
}

const upstreamPaths: Readonly<Record<Dialect, string>> = {
  chat: "/openai/v1/chat/completions",
  responses: "/openai/v1/responses",
  messages: "/anthropic/v1/messages",
  content: "/google/v1beta/models/chatC:",
};

/** One client on its way to one vendor. */
class Pair {
  readonly client: Dialect;
  readonly upstream: Dialect;
  readonly isStream: boolean;

  constructor(client: Dialect, upstream: Dialect, isStream: boolean) {
    this.client = client;
    this.upstream = upstream;
    this.isStream = isStream;
  }

  get name(): string {
    return `${this.client} on ${this.upstream}, ${this.isStream ? "streamed" : "whole"}`;
  }

  async ask(ask: Omit<Ask, "model">): Promise<Seen> {
    const model = modelOf[this.upstream];
    return await this.send(clients[this.client].body({ model, ...ask }, this.isStream));
  }

  async send(body: JsonObject): Promise<Seen> {
    const { client, upstream, isStream } = this;
    const { path, read, assemble } = clients[client];
    const response = await stand.gateway.post(path(modelOf[upstream], isStream), body);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    expect(response.headers.get("content-type")).toStartWith(
      isStream ? "text/event-stream" : "application/json",
    );
    expect(stand.sandbox.calls().recent).toContainEqual(
      expect.objectContaining({
        path: expect.stringContaining(upstreamPaths[upstream]),
        model: modelOf[upstream],
        stream: isStream,
        outcome: "completed",
      }),
    );
    const reply = isStream ? assemble(text) : (JSON.parse(text) as JsonObject);
    return { response, body, reply, answered: read(reply) };
  }
}

const words: Readonly<Record<"stop" | "length" | "calls" | "filter", Record<Dialect, string>>> = {
  stop: { chat: "stop", responses: "completed", messages: "end_turn", content: "STOP" },
  length: {
    chat: "length",
    responses: "max_output_tokens",
    messages: "max_tokens",
    content: "MAX_TOKENS",
  },
  calls: { chat: "tool_calls", responses: "completed", messages: "tool_use", content: "STOP" },
  filter: {
    chat: "content_filter",
    responses: "content_filter",
    messages: "refusal",
    content: "SAFETY",
  },
};

const image =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAADklEQVR4nGM4AQMMcBYAjLQOETxAoQ8AAAAASUVORK5CYII=";
const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const tools = [
  { name: "get_weather", schema },
  { name: "get_time", schema },
];

const pairs = dialects.flatMap((client) =>
  dialects.flatMap((upstream) =>
    [false, true].map((isStream) => new Pair(client, upstream, isStream)),
  ),
);

test("T16 what every client reads as its usage is what is billed", async () => {
  await Promise.all(
    pairs.map(async (pair) => {
      const asked = { prompt: "What are lighthouses for?", thinks: true };
      const { answered, response } = await pair.ask(asked);
      expect(await logRow(stand.gateway, response)).toMatchObject({
        channel: pair.upstream,
        outcome: "ok",
        stream: pair.isStream,
        input_tokens: answered.input,
        output_tokens: answered.output,
        reasoning_tokens: answered.reasoningTokens,
        estimated: false,
      });
    }),
  );
});

describe.each(pairs.map((pair) => [pair.name, pair] as const))("%s", (_name, pair) => {
  const { client } = pair;

  test("T16 the answer comes whole, with its end and its usage", async () => {
    const { answered } = await pair.ask({ prompt: "What are lighthouses for?" });
    expect(answered.text).toMatch(/^You asked about lighthouses.*\.$/);
    expect(answered).toMatchObject({ calls: [], stop: words.stop[client] });
    expect(answered.input).toBeGreaterThan(3);
    expect(answered.output).toBeGreaterThan(20);
  });

  test("T16 a system prompt is read by the model", async () => {
    const prompt = "What are lighthouses for?";
    const plain = await pair.ask({ prompt });
    const system = "You are the keeper of a lighthouse in the north.";
    const told = await pair.ask({ prompt, system });
    expect(told.answered.input - plain.answered.input).toBeWithin(9, 14);
    expect(told.answered.text).toBe(plain.answered.text);
  });

  test("T16 an image reaches the model with every pixel", async () => {
    const { answered } = await pair.ask({ prompt: "What is this?", image });
    expect(answered.text).toStartWith("I see an image of type image/png, 3 by 2 pixels.");
  });

  test("T16 an image is named by its address", async () => {
    const url = "https://images.example/lighthouse.png";
    const { answered } = await pair.ask({ prompt: "What is this?", image: url });
    expect(answered.text).toMatch(
      /^I see an? (?:image|file) at https:\/\/images\.example\/lighthouse\.png\./,
    );
  });

  test("T16 two calls are made, and their results are read in the next turn", async () => {
    const prompt = "Use get_weather and get_time for Oslo.";
    const { answered, body, reply } = await pair.ask({ prompt, tools });
    expect(answered.calls).toMatchObject([
      { name: "get_weather", input: { city: "Oslo" } },
      { name: "get_time", input: { city: "Oslo" } },
    ]);
    expect(answered).toMatchObject({ text: "", stop: words.calls[client] });
    expect(new Set(answered.calls.map(({ id }) => id)).size).toBe(2);
    const results = ["Rain and 7 degrees.", "Noon."];
    const next = await pair.send(clients[client].next(body, reply, results));
    expect(next.answered).toMatchObject({ calls: [], stop: words.stop[client] });
    expect(next.answered.text).toMatch(
      /The tool returned: .*Rain and 7 degrees\.[^]*The tool returned: .*Noon\./,
    );
  });

  test("T16 the choice of a tool is kept", async () => {
    const prompt = "What are lighthouses for?";
    const none = await pair.ask({ prompt, tools, choice: "none" });
    expect(none.answered).toMatchObject({ calls: [], stop: words.stop[client] });
    const named = await pair.ask({ prompt, tools, choice: "get_time" });
    expect(named.answered.calls).toMatchObject([{ name: "get_time" }]);
    const any = await pair.ask({ prompt, tools, choice: "required" });
    expect(any.answered.calls).toHaveLength(1);
  });

  test("T16 an answer that is cut at its limit says so", async () => {
    const prompt = "What are lighthouses for?";
    const { answered } = await pair.ask({ prompt, outputTokensMax: 20 });
    expect(answered.stop).toBe(words.length[client]);
    expect(answered.output).toBeWithin(1, 21);
  });

  test("T16 an answer that is withheld says so", async () => {
    const { answered } = await pair.ask({ prompt: "Lighthouses, sandbox:filter please." });
    expect(answered.stop).toBe(words.filter[client]);
  });

  test("T16 thinking is shown, counted, and comes back with the next turn", async () => {
    const prompt = "Use get_weather for Oslo.";
    const asked = { prompt, tools, thinks: true };
    const { answered, body, reply } = await pair.ask(asked);
    expect(answered.calls).toMatchObject([{ name: "get_weather" }]);
    expect(answered.reasoning).toMatch(/think|Weighing/);
    expect(answered.reasoningTokens).toBeGreaterThan(5);
    const next = await pair.send(clients[client].next(body, reply, ["Rain."]));
    expect(next.answered.text).toContain("Rain.");
  });

  test("T16 an answer of a given shape has it", async () => {
    const { answered } = await pair.ask({ prompt: "Tell me about Oslo.", shape: schema });
    expect(JSON.parse(answered.text)).toEqual({ city: expect.any(String) });
  });
});
