// Thought signatures over real HTTP: who signs what, what must come back, and on which part.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

interface Part {
  text?: string;
  thoughtSignature?: string;
  functionCall?: { id?: string; name: string; args: Record<string, unknown> };
}
interface Reply {
  candidates: { content: { role: string; parts: Part[] } }[];
}

const signing = "gemini-3-pro";
const parameters = {
  type: "OBJECT",
  properties: { city: { type: "STRING" }, day: { type: "STRING" } },
  required: ["city", "day"],
};
const functionDeclarations = [{ name: "get_weather", parameters }, { name: "get_time" }];
const tools = [{ functionDeclarations }];
const user = (text: string) => ({ role: "user", parts: [{ text }] });
const model = (...parts: Part[]) => ({ role: "model", parts });
const asked = user("Use get_weather and get_time for Paris");
const answer = (...names: string[]) => ({
  role: "user",
  parts: names.map((name) => ({ functionResponse: { name, response: { output: "ok" } } })),
});

function post(contents: object[], name = signing, more: object = { tools }) {
  return fetch(`${sandbox.url}/google/v1beta/models/${name}:generateContent`, {
    method: "POST",
    headers: { "x-goog-api-key": "sk-sandbox-a" },
    body: JSON.stringify({ contents, ...more }),
  });
}

async function partsOf(contents: object[], name = signing, more?: object): Promise<Part[]> {
  const response = await post(contents, name, more);
  expect(response.status).toBe(200);
  return ((await response.json()) as Reply).candidates[0]?.content.parts ?? [];
}

async function callParts(contents: object[] = [asked]): Promise<[Part, Part]> {
  const [first, second] = await partsOf(contents);
  if (!first || !second) throw new Error("too few parts");
  return [first, second];
}

async function refusalOf(contents: object[], name = signing): Promise<string> {
  const response = await post(contents, name);
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { message: string; status: string } };
  expect(error.status).toBe("INVALID_ARGUMENT");
  return error.message;
}

const both = ["get_weather", "get_time"];

function withoutSignature({ thoughtSignature, ...part }: Part): Part {
  expect(thoughtSignature).toBeString();
  return part;
}

describe("a model that signs", () => {
  test("signs the first of the calls it makes together", async () => {
    const [first, second] = await callParts();
    expect(first.thoughtSignature).toMatch(/^[\w+/]+=*$/);
    expect(second).not.toHaveProperty("thoughtSignature");
  });

  test("signs its thoughts and its words", async () => {
    const generationConfig = { thinkingConfig: { includeThoughts: true } };
    const parts = await partsOf([user("hello")], "chatC-3-flash", { generationConfig });
    expect(parts.map(({ thoughtSignature }) => typeof thoughtSignature)).toEqual([
      "string",
      "string",
    ]);
    const [plain] = await partsOf([user("hello")], "gemini-2.5-flash", {});
    expect(plain).not.toHaveProperty("thoughtSignature");
  });

  test("takes its own back, whatever the order of the arguments", async () => {
    const [first, second] = await callParts();
    expect((await post([asked, model(first, second), answer(...both)])).status).toBe(200);
    const { city, day } = first.functionCall?.args ?? {};
    const args = { day, city };
    const turned: Part = { ...first, functionCall: { name: "get_weather", args } };
    expect((await post([asked, model(turned, second), answer(...both)])).status).toBe(200);
    const urlSafe = first.thoughtSignature?.replaceAll("+", "-").replaceAll("/", "_");
    const spelled: Part = { ...first, thoughtSignature: urlSafe ?? "" };
    expect((await post([asked, model(spelled, second), answer(...both)])).status).toBe(200);
  });

  test("takes it back on a call to which the client has added defaults", async () => {
    const [first, second] = await callParts();
    const { name = "", args = {}, id = "" } = first.functionCall ?? {};
    const more = { ...first, functionCall: { id, name, args: { ...args, units: "metric" } } };
    await partsOf([asked, model(more, second), answer(...both)]);
    const less = { ...first, functionCall: { id, name, args: { city: "Rome" } } };
    expect(await refusalOf([asked, model(less, second), answer(...both)])).toContain("not valid");
  });

  test("signs the same call another time with another one", async () => {
    const [[first], [again]] = [await callParts(), await callParts()];
    expect(again.functionCall?.args).toEqual(first.functionCall?.args);
    expect(again.thoughtSignature).not.toBe(first.thoughtSignature);
  });

  test("insists on it in the turn it is in", async () => {
    const [first, second] = await callParts();
    const bare = model(withoutSignature(first), second);
    const message = await refusalOf([asked, bare, answer(...both)]);
    expect(message).toContain("missing a thought_signature");
    expect(message).toContain("`get_weather`, position 1");
    expect((await post([asked, bare, answer(...both)], "gemini-2.5-flash")).status).toBe(200);
  });

  test("insists on it in every step of the turn", async () => {
    const [first, second] = await callParts();
    const step = [model(first, second), answer(...both)];
    const bare = [model(withoutSignature(first), second), answer(...both)];
    expect((await post([asked, ...step, ...step])).status).toBe(200);
    expect(await refusalOf([asked, ...step, ...bare])).toContain("missing a thought_signature");
    expect(await refusalOf([asked, ...bare, ...step])).toContain("missing a thought_signature");
  });

  test("takes the pieces of a streamed turn as one", async () => {
    const [first, second] = await callParts();
    const pieces = [model({ text: "hm" }), model(first), model(second)];
    expect((await post([asked, ...pieces, answer(...both)])).status).toBe(200);
    const bare = [model(withoutSignature(first)), model(second)];
    const message = await refusalOf([asked, ...bare, answer(...both)]);
    expect(message).toContain("missing a thought_signature");
  });

  test("does not miss it in turns that are over", async () => {
    const [first, second] = await callParts();
    const bare = model(withoutSignature(first), second);
    const history = [asked, bare, answer(...both), model({ text: "done" })];
    expect((await post([...history, user("And now?")])).status).toBe(200);
  });
});

describe("a signature", () => {
  test.each([signing, "gemini-2.5-flash"])("that is not genuine is refused by %s", async (name) => {
    const [first, second] = await callParts();
    for (const thoughtSignature of ["c29tZXRoaW5nIGVsc2U=", `${first.thoughtSignature}`.slice(4)]) {
      const forged = model({ ...first, thoughtSignature }, second);
      expect(await refusalOf([asked, forged, answer(...both)], name)).toContain("not valid");
    }
    const words = model({ text: "hm", thoughtSignature: "c29tZXRoaW5nIGVsc2U=" });
    expect(await refusalOf([user("a"), words, user("b")], name)).toContain("not valid");
  });

  test("belongs to its own part", async () => {
    const [first, second] = await callParts();
    const { thoughtSignature = "" } = first;
    const moved = model(withoutSignature(first), { ...second, thoughtSignature });
    expect(await refusalOf([asked, moved, answer(...both)])).toContain("not valid");
    const onText = model({ text: "hm", thoughtSignature });
    expect(await refusalOf([user("a"), onText, user("b")])).toContain("not valid");
    const [said] = await partsOf([user("hello")], signing, {});
    const onCall = model({ ...first, thoughtSignature: said?.thoughtSignature ?? "" }, second);
    expect(await refusalOf([asked, onCall, answer(...both)])).toContain("not valid");
  });

  test("of a text holds for the text that a client joined", async () => {
    const [said] = await partsOf([user("hello")], signing, {});
    const thoughtSignature = said?.thoughtSignature ?? "";
    const joined = model({ text: "a thought and an answer", thoughtSignature });
    expect((await post([user("a"), joined, user("b")])).status).toBe(200);
  });

  test("may say that the call was another vendor's", async () => {
    const [first, second] = await callParts();
    const thoughtSignature = "skip_thought_signature_validator";
    const foreign = model({ ...first, thoughtSignature }, second);
    expect((await post([asked, foreign, answer(...both)])).status).toBe(200);
  });

  test("must be base64", async () => {
    const words = model({ text: "hm", thoughtSignature: "no base64!" });
    expect(await refusalOf([user("a"), words, user("b")])).toContain("Base64 decoding failed");
  });
});
