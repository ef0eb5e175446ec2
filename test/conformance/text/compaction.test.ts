// Condensing a conversation: by the vendor where it can, by a model where it cannot, and how the
// conversation goes on from there.
import { beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { errorOf } from "../../harness/ask.ts";
import { logRow } from "../../harness/books.ts";
import { list } from "../../harness/clients/client.ts";
import { responsesClient } from "../../harness/clients/responses.ts";
import { dialects, modelOf, startDialects } from "../../harness/dialects.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers, wires } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendors = new Map(dialects.map((to) => [to, kept(new Vendor(answers(to, "Short.")))]));

const stand = useStand(() => startDialects("unpriced: free"));

beforeAll(async () => {
  for (const [to, vendor] of vendors) {
    const channel = { name: `scripted ${to}`, models: [`scripted-${to}`], ...wires[to].channel };
    await stand.gateway.control("POST", "/api/channel", vendor.channel(channel));
  }
});

const conversation = [
  { role: "user", content: "Please remember the number 4711." },
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "I will." }] },
  { role: "user", content: "And the town of Oslo." },
];

async function compact(fields: JsonObject): Promise<{ response: Response; body: JsonObject }> {
  const response = await stand.gateway.post("/v1/responses/compact", fields);
  return { response, body: (await response.json()) as JsonObject };
}

/** Last request to the vendor of this dialect, as text. */
function sentTo(to: Dialect): string {
  return vendors.get(to)?.requests.at(-1)?.text ?? "";
}

describe("condensing", () => {
  test.each([...dialects])(
    "T12 on %s keeps the last words and hides the rest in one item",
    async (to) => {
      const { response, body } = await compact({ model: modelOf[to], input: conversation });
      expect(response.status).toBe(200);
      expect(body).toMatchObject({
        id: expect.stringMatching(/^resp_/),
        object: "response.compaction",
        created_at: expect.any(Number),
      } as JsonObject);
      const output = list<JsonObject>(body["output"]);
      expect(output.at(-1)).toMatchObject({
        type: "compaction",
        id: expect.any(String),
        encrypted_content: expect.any(String),
      } as JsonObject);
      expect(output.filter(({ type }) => type === "compaction")).toHaveLength(1);
      expect(JSON.stringify(output)).toContain("And the town of Oslo.");
      const usage = body["usage"] as Record<string, number>;
      expect(usage["input_tokens"]).toBeGreaterThan(5);
      const row = await logRow(stand.gateway, response);
      expect(row).toMatchObject({
        outcome: "ok",
        channel: to,
        input_tokens: usage["input_tokens"],
      });
      expect(row.micros).toBeGreaterThan(0);
    },
  );

  test.each(["chat", "messages", "content"] as const)(
    "T12 what was condensed on %s goes on there and everywhere",
    async (to) => {
      const { body } = await compact({ model: modelOf[to], input: conversation });
      for (const next of dialects) await expectAccepted(list(body["output"]), next);
    },
  );

  test("T12 what a vendor condensed goes on there; elsewhere it is refused, not lost", async () => {
    const { body } = await compact({ model: modelOf.responses, input: conversation });
    const output = list<JsonObject>(body["output"]);
    await expectAccepted(output, "responses");
    for (const next of ["chat", "messages", "content"] as const) {
      const asked = { model: modelOf[next], input: output };
      const response = await stand.gateway.post("/v1/responses", asked);
      expect(response.status).toBe(400);
      expect((await errorOf(response)).param).toBe(`input.${output.length - 1}`);
    }
  });

  test("T12 is the vendor's own work where it can do it, with its own fields", async () => {
    const item = { type: "compaction", id: "cmp_1", encrypted_content: "opaque" };
    const own = { id: "resp_9", object: "response.compaction", created_at: 1, output: [item] };
    const vendor = vendors.get("responses");
    if (vendor) vendor.script = (_request, reply) => reply.json(own);
    const fields = { model: "scripted-responses", input: conversation, prompt_cache_key: "k" };
    const { body } = await compact({ ...fields, stream: true });
    expect(body).toMatchObject(own);
    expect(vendor?.requests.at(-1)?.path).toBe("/v1/responses/compact");
    expect(vendor?.requests.at(-1)?.body).toEqual(fields);
  });

  test("T12 is asked of a model elsewhere, and its summary is what a later model reads", async () => {
    const summary = "The user wants 4711 and Oslo remembered.";
    for (const to of ["chat", "messages", "content"] as const) {
      const vendor = vendors.get(to);
      if (!vendor) throw new Error(to);
      vendor.script = answers(to, summary);
      const asked = { model: `scripted-${to}`, input: conversation, instructions: "Be a pilot." };
      const { body } = await compact(asked);
      expect(sentTo(to)).toContain("handover summary");
      expect(sentTo(to)).toContain("Please remember the number 4711.");
      expect(sentTo(to)).toContain("Be a pilot.");
      const input = [...list<JsonObject>(body["output"]), { role: "user", content: "Which town?" }];
      for (const next of dialects) {
        const later = vendors.get(next);
        if (later) later.script = answers(next, "Oslo.");
        const response = await stand.gateway.post("/v1/responses", {
          model: `scripted-${next}`,
          input,
        });
        const answer = (await response.json()) as JsonObject;
        expect(responsesClient.read(answer).text).toBe("Oslo.");
        expect(sentTo(next)).toContain(summary);
        expect(sentTo(next)).toContain("And the town of Oslo.");
        expect(sentTo(next)).not.toContain("sluice1:");
        expect(sentTo(next)).not.toContain("encrypted_content");
      }
    }
  });

  test("T12 goes on from a stored response where it was made", async () => {
    const model = modelOf.responses;
    const first = await stand.gateway.post("/v1/responses", { model, input: "I live in Bergen." });
    const { id } = (await first.json()) as { id: string };
    const { response, body } = await compact({ model, previous_response_id: id });
    expect(response.status).toBe(200);
    expect(JSON.stringify(body["output"])).toContain("Bergen");
  });

  test("T12 of nothing, or of what is unknown, is a 400", async () => {
    for (const to of dialects) {
      const model = modelOf[to];
      const nothing = await stand.gateway.post("/v1/responses/compact", { model });
      expect([to, nothing.status]).toEqual([to, 400]);
      expect((await errorOf(nothing)).param).toBe("input");
      const id = { model, previous_response_id: "resp_none" };
      const unknown = await stand.gateway.post("/v1/responses/compact", id);
      expect([to, unknown.status]).toEqual([to, 400]);
      expect((await errorOf(unknown)).code).toBe("previous_response_not_found");
    }
  });

  test("T12 to an empty summary is an error, not a lost conversation", async () => {
    const vendor = vendors.get("messages");
    if (vendor) vendor.script = answers("messages", " ");
    const { response, body } = await compact({ model: "scripted-messages", input: conversation });
    expect(response.status).toBe(500);
    expect(body).toMatchObject({ error: { code: "bad_response_body" } });
  });
});

/** A model goes on with what was condensed, and with one more question. */
async function expectAccepted(output: JsonObject[], next: Dialect): Promise<void> {
  const input = [...output, { role: "user", content: "Which town?" }];
  for (const stream of [false, true]) {
    const response = await stand.gateway.post("/v1/responses", {
      model: modelOf[next],
      input,
      stream,
    });
    const text = await response.text();
    expect([next, response.status, text]).toEqual([next, 200, text]);
    expect(text).toContain('"status":"completed"');
  }
}
