// Streams over real HTTP: as events, and as the items of one list.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { readEvents } from "../../src/core/sse.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

interface Part {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: { name: string };
}
interface Chunk {
  candidates: {
    content?: { role: string; parts?: Part[] };
    finishReason?: string;
    index: number;
  }[];
  usageMetadata: { candidatesTokenCount?: number; totalTokenCount: number };
  responseId: string;
}

const says = (text: string) => ({ contents: [{ role: "user", parts: [{ text }] }] });
const question = says("How do the old bridges of Venice stand?");

function post(verb: string, body: object, model = "gemini-3-flash") {
  return fetch(`${sandbox.url}/google/v1beta/models/${model}:${verb}`, {
    method: "POST",
    headers: { "x-goog-api-key": "sk-sandbox-a" },
    body: JSON.stringify({ ...question, ...body }),
  });
}

async function streamed(body: object = {}, model?: string): Promise<Chunk[]> {
  const response = await post("streamGenerateContent?alt=sse", body, model);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  return readEvents(await response.text()).map(({ data }) => JSON.parse(data) as Chunk);
}

async function whole(body: object = {}): Promise<Chunk> {
  return (await (await post("generateContent", body)).json()) as Chunk;
}

function partsOf(chunks: Chunk[], index = 0): Part[] {
  return chunks
    .flatMap(({ candidates }) => candidates)
    .filter((candidate) => candidate.index === index)
    .flatMap(({ content }) => content?.parts ?? []);
}

const join = (parts: Part[]) => parts.map(({ text }) => text ?? "").join("");

describe("a stream of events", () => {
  test("has bare data lines and no marker at its end", async () => {
    const response = await post("streamGenerateContent?alt=sse", {});
    const blocks = (await response.text()).split("\r\n\r\n");
    expect(blocks.pop()).toBe("");
    expect(blocks.length).toBeGreaterThan(8);
    for (const block of blocks) expect(block).toStartWith('data: {"candidates":[');
  });

  test("says the same as a whole answer, with the reason for its end last", async () => {
    const chunks = await streamed();
    expect(join(partsOf(chunks))).toBe(join(partsOf([await whole()])));
    const finishes = chunks.map(({ candidates }) => candidates[0]?.finishReason);
    expect(finishes.pop()).toBe("STOP");
    expect(new Set(finishes)).toEqual(new Set([undefined]));
    expect(new Set(chunks.map(({ responseId }) => responseId)).size).toBe(1);
  });

  test("counts the usage up on every chunk", async () => {
    const chunks = await streamed();
    const totals = chunks.map(({ usageMetadata }) => usageMetadata.totalTokenCount);
    expect(totals).toEqual(totals.toSorted((a, b) => a - b));
    expect(new Set(totals).size).toBe(chunks.length - 1);
    expect(chunks.at(-1)?.usageMetadata).toEqual((await whole()).usageMetadata);
    const silent = await streamed(says("hello sandbox:no-usage"));
    expect(silent.some((chunk) => "usageMetadata" in chunk)).toBeFalse();
  });

  test("begins with the thoughts, and signs them and the answer apart", async () => {
    const generationConfig = { thinkingConfig: { includeThoughts: true } };
    const chunks = await streamed({ generationConfig });
    const [thought, answer] = partsOf([await whole({ generationConfig })]);
    const parts = partsOf(chunks);
    const thoughts = parts.filter((part) => part.thought);
    expect(parts.slice(0, thoughts.length)).toEqual(thoughts);
    expect(thoughts.length).toBeGreaterThan(1);
    expect(join(thoughts)).toBe(thought?.text ?? "");
    expect(thoughts.at(-1)?.thoughtSignature).toBe(thought?.thoughtSignature ?? "");
    expect(chunks[0]?.usageMetadata).not.toHaveProperty("candidatesTokenCount");
    expect(parts.at(-1)).toEqual({ text: "", thoughtSignature: answer?.thoughtSignature ?? "" });
    expect(parts.filter(({ thoughtSignature }) => thoughtSignature)).toHaveLength(2);
  });

  test("gives each call whole in a chunk of its own", async () => {
    const functionDeclarations = [{ name: "get_weather" }, { name: "get_time" }];
    const chunks = await streamed({
      ...says("Use get_weather and get_time"),
      tools: [{ functionDeclarations }],
    });
    const names = partsOf(chunks).map(({ functionCall }) => functionCall?.name);
    expect(names).toEqual(["get_weather", "get_time", undefined]);
    expect(chunks.at(-1)?.candidates[0]?.finishReason).toBe("STOP");
  });

  test("cuts JSON into several pieces too", async () => {
    const generationConfig = { responseMimeType: "application/json" };
    const chunks = await streamed({ generationConfig });
    expect(chunks.length).toBeGreaterThan(8);
    expect(JSON.parse(join(partsOf(chunks)))).toHaveProperty("answer");
  });

  test("lets candidates take turns", async () => {
    const generationConfig = { candidateCount: 2 };
    const chunks = await streamed({ generationConfig });
    expect(chunks.slice(0, 4).map(({ candidates }) => candidates[0]?.index)).toEqual([0, 1, 0, 1]);
    const { candidates, usageMetadata } = await whole({ generationConfig });
    for (const { index, content } of candidates) {
      expect(join(partsOf(chunks, index))).toBe(join(content?.parts ?? []));
    }
    expect(chunks.at(-1)?.usageMetadata).toEqual(usageMetadata);
  });

  test("ends without a content when the filter steps in", async () => {
    const chunks = await streamed(says("hello there my friend sandbox:filter"));
    expect(join(partsOf(chunks))).not.toBe("");
    expect(chunks.at(-1)?.candidates[0]).toMatchObject({ finishReason: "SAFETY" });
    expect(chunks.at(-1)?.candidates[0]).not.toHaveProperty("content");
    const blocked = await streamed(says("block this sandbox:filter"));
    expect(blocked).toMatchObject([{ promptFeedback: { blockReason: "SAFETY" } }]);
  });

  test("may be a single chunk without parts", async () => {
    const chunks = await streamed({ generationConfig: { maxOutputTokens: 1 } });
    expect(chunks).toMatchObject([
      { candidates: [{ content: { role: "model" }, finishReason: "MAX_TOKENS" }] },
    ]);
  });
});

describe("a stream without alt=sse", () => {
  test("is one list in JSON", async () => {
    const response = await post("streamGenerateContent", {});
    expect(response.headers.get("content-type")).toBe("application/json; charset=UTF-8");
    const chunks = (await response.json()) as Chunk[];
    expect(chunks.length).toBeGreaterThan(8);
    expect(join(partsOf(chunks))).toBe(join(partsOf([await whole()])));
  });

  test("has its errors in a list as well", async () => {
    const late = await post("streamGenerateContent", says("hello sandbox:error-after=2"));
    const items = (await late.json()) as object[];
    expect(items).toHaveLength(3);
    expect(items[2]).toMatchObject({ error: { code: 500, status: "INTERNAL" } });
    const refused = await post("streamGenerateContent", { contents: [] });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject([{ error: { status: "INVALID_ARGUMENT" } }]);
  });
});
