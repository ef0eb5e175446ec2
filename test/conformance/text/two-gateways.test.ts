// A gateway behind a gateway: whatever a client says passes both as it is; and the first run, where
// every model of the catalogue answers in every format.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { errorOf } from "../../harness/ask.ts";
import { balanceOf, logRow } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { list } from "../../harness/clients/client.ts";
import { dialects, modelOf, startDialects } from "../../harness/dialects.ts";
import { type Gateway, startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";

let front: Gateway;
let customer: { id: string; key: string };

const back = useStand(() => startDialects("distribution: { failures_to_eject: 1000 }"));

beforeAll(async () => {
  customer = await back.gateway.customer(1_000_000_000);
  const models = [...dialects.map((dialect) => modelOf[dialect]), "embedA"];
  const channel = { name: "behind", type: "gateway", base_url: back.gateway.url, models };
  front = await startGateway({
    config: JSON.stringify({
      channels: [{ ...channel, key: customer.key, allow_private: true }],
      distribution: { failures_to_eject: 1000 },
    }),
  });
});

afterAll(async () => {
  await front[Symbol.asyncDispose]();
});

describe.each([...dialects])("a client of %s in front of two gateways", (client) => {
  const { path, body, read, assemble, next } = clients[client];

  test.each([...dialects])("T16 reaches a model on %s, with tools and thinking", async (to) => {
    const model = modelOf[to];
    const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const tools = [{ name: "get_weather", schema }];
    for (const isStream of [false, true]) {
      const prompt = "Use get_weather for Oslo.";
      const asked = body({ model, prompt, tools, thinks: true }, isStream);
      const response = await front.post(path(model, isStream), asked);
      const text = await response.text();
      expect([to, response.status, text]).toEqual([to, 200, text]);
      const reply = isStream ? assemble(text) : (JSON.parse(text) as JsonObject);
      expect(read(reply).calls).toMatchObject([{ name: "get_weather", input: { city: "Oslo" } }]);
      const later = await front.post(path(model, isStream), next(asked, reply, ["Rain."]));
      const answer = await later.text();
      const last = isStream ? assemble(answer) : (JSON.parse(answer) as JsonObject);
      expect(read(last).text).toContain("Rain.");
    }
  });

  test("Q2 pays in both what the vendor says", async () => {
    const model = modelOf[client];
    const before = await balanceOf(back.gateway, customer.id);
    const response = await front.post(path(model, false), body({ model, prompt: "Hi." }, false));
    await response.text();
    const row = await logRow(front, response);
    const after = await balanceOf(back.gateway, customer.id);
    expect(row.micros).toBeGreaterThan(0);
    expect(after.used_micros - before.used_micros).toBe(row.micros);
  });

  test("T17 reads a refusal of the vendor in its own words", async () => {
    const model = modelOf.messages;
    const asked = body({ model, prompt: "Hi, sandbox:status=413" }, false);
    const response = await front.post(path(model, false), asked);
    expect(response.status).toBe(413);
    expect((await errorOf(response)).message).toBe("Request exceeds the maximum allowed size.");
  });
});

test("T11 a response that is kept behind two gateways is gone on with, read and deleted", async () => {
  const model = modelOf.responses;
  const made = await front.post("/v1/responses", { model, input: "I live in Bergen." });
  const { id } = (await made.json()) as { id: string };
  const body = { model, input: "Go on.", previous_response_id: id };
  expect((await front.post("/v1/responses", body)).status).toBe(200);
  expect((await front.get(`/v1/responses/${id}`)).status).toBe(200);
  const items = await front.get(`/v1/responses/${id}/input_items`);
  expect(JSON.stringify(await items.json())).toContain("Bergen");
  const other = await front.customer(1_000_000_000);
  expect((await front.post("/v1/responses", body, other.key)).status).toBe(400);
  expect((await front.get(`/v1/responses/${id}`, other.key)).status).toBe(404);
});

test("T12 N5 condensing, counting and embedding pass two gateways", async () => {
  const model = modelOf.messages;
  const input = [{ role: "user", content: "Remember 4711." }];
  const compacted = await front.post("/v1/responses/compact", { model, input });
  const { output } = (await compacted.json()) as { output: JsonObject[] };
  const more = [...output, { role: "user", content: "Which number?" }];
  expect((await front.post("/v1/responses", { model, input: more })).status).toBe(200);
  const messages = [{ role: "user", content: "Hello there." }];
  const counted = await front.post("/v1/messages/count_tokens", { model, messages });
  expect(await counted.json()).toMatchObject({ input_tokens: expect.any(Number) });
  const embedded = await front.post("/v1/embeddings", { model: "embedA", input: "Hi." });
  expect(await embedded.json()).toMatchObject({ object: "list" });
});

test("D4 on a first run every model of the list answers in every format", async () => {
  await using first = await startGateway();
  const { data } = (await (await first.get("/v1/models")).json()) as { data: JsonObject[] };
  const models = data.filter((model) => list(model["supported_endpoint_types"]).includes("chat"));
  expect(models.length).toBeGreaterThan(12);
  await Promise.all(
    models.flatMap(({ id }) =>
      dialects.map(async (client) => {
        const { path, body, read } = clients[client];
        const model = String(id);
        const asked = body({ model, prompt: "Where is Oslo?", outputTokensMax: 200 }, false);
        const response = await first.post(path(model, false), asked);
        const reply = (await response.json()) as JsonObject;
        expect([model, client, response.status]).toEqual([model, client, 200]);
        expect(read(reply).text).toContain("Oslo");
      }),
    ),
  );
});
