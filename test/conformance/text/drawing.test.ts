// Models of images that are asked in Google's text format: they cost what their pictures do.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { balanceOf, logRow } from "../../harness/books.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import { Vendor, type VendorReply, type VendorRequest } from "../../harness/vendor.ts";

setDefaultTimeout(60_000);

const model = "gemini-3-pro-image-preview";
const path = `/v1beta/models/${model}`;
const picture = { inlineData: { mimeType: "image/png", data: "aGVsbG8=" } };
const usageMetadata = {
  promptTokenCount: 12,
  candidatesTokenCount: 1120,
  totalTokenCount: 1132,
};
let parts: object[] = [];
const vendor = new Vendor((request: VendorRequest, reply: VendorReply) => {
  const ended = { content: { role: "model", parts }, finishReason: "STOP", index: 0 };
  if (!request.path.includes(":stream")) {
    reply.json({ candidates: [ended], usageMetadata });
    return;
  }
  reply.stream();
  for (const part of parts) {
    reply.event({ candidates: [{ content: { role: "model", parts: [part] }, index: 0 }] });
  }
  reply.event({ candidates: [{ ...ended, content: { role: "model", parts: [] } }], usageMetadata });
  reply.end();
});
let gateway: Gateway;

beforeAll(async () => {
  const channels = [vendor.channel({ type: "google", models: [model] })];
  gateway = await startGateway({ config: JSON.stringify({ channels }) });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

const ask = (config: object = {}) => ({
  contents: [{ role: "user", parts: [{ text: "A fox" }] }],
  generationConfig: { responseModalities: ["TEXT", "IMAGE"], ...config },
});

describe("I9 a model of images by generateContent", () => {
  test.each([
    ["one picture", [picture], {}, 134_000],
    ["two pictures and words", [{ text: "Two." }, picture, picture], {}, 268_000],
    ["one of the largest", [picture], { imageConfig: { imageSize: "4K" } }, 240_000],
    [
      "words alone, and a picture that was only a thought",
      [{ text: "No." }, { ...picture, thought: true }],
      {},
      0,
    ],
  ])("costs its pictures: %s", async (_what, made, config, micros) => {
    parts = made;
    const customer = await gateway.customer(1_000_000);
    const whole = await gateway.post(`${path}:generateContent`, ask(config), customer.key);
    expect(whole.status).toBe(200);
    await whole.text();
    expect(await logRow(gateway, whole)).toMatchObject({ model, micros });
    const stream = `${path}:streamGenerateContent?alt=sse`;
    const streamed = await gateway.post(stream, ask(config), customer.key);
    await streamed.text();
    expect(await logRow(gateway, streamed)).toMatchObject({ model, micros });
    expect(await balanceOf(gateway, customer.id)).toMatchObject({
      used_micros: 2 * micros,
      held_micros: 0,
    });
  });

  test("is held for before it is sent, and is not to be had by a format that counts none", async () => {
    parts = [picture];
    const before = vendor.requests.length;
    const poor = await gateway.customer(100_000);
    expect((await gateway.post(`${path}:generateContent`, ask(), poor.key)).status).toBe(402);
    const chat = { model, messages: [{ role: "user", content: "A fox" }] };
    expect((await gateway.post("/v1/chat/completions", chat)).status).toBe(503);
    expect(vendor.requests).toHaveLength(before);
  });

  test("costs the operator's own price for that name", async () => {
    parts = [picture];
    await gateway.control("POST", "/api/price", { model, image_micros: 555 });
    const customer = await gateway.customer(1_000_000);
    const response = await gateway.post(`${path}:generateContent`, ask(), customer.key);
    await response.text();
    expect(await logRow(gateway, response)).toMatchObject({ micros: 555 });
  });
});
