// Faults, before an answer and in the middle of one.
import { expect, test } from "bun:test";
import { APICallError, generateText, streamText } from "ai";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { modelOf } from "../../harness/dialects.ts";
import { type Desk, question, readAll } from "./desk.ts";

/** Error of a call; a call that succeeds is a failure here. */
async function apiErrorOf(call: PromiseLike<unknown>): Promise<APICallError> {
  try {
    await call;
  } catch (error) {
    if (APICallError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("the call succeeded");
}

export function errorsHold(desk: Desk, dialect: Dialect): void {
  const id = modelOf[dialect];

  test(`N2 errors have their status and the gateway's words, on ${dialect}`, async () => {
    const ask = { prompt: question };
    const wrong = await apiErrorOf(generateText({ ...desk.to(id, "sk-nobody"), ...ask }));
    expect(wrong.statusCode).toBe(401);
    expect(wrong.message).toMatch(/key/i);
    const { key } = await desk.stand.gateway.customer(1);
    const poor = await apiErrorOf(generateText({ ...desk.to(id, key), ...ask }));
    expect(poor.statusCode).toBe(402);
    expect(poor.message).toMatch(/quota/i);
    const unknown = await apiErrorOf(generateText({ ...desk.to("nothing"), ...ask }));
    expect(unknown.statusCode).toBe(503);
    expect(unknown.message).toMatch(/model/i);
    const refused = { ...desk.to(id), prompt: "sandbox:status=400 lighthouses" };
    expect((await apiErrorOf(generateText(refused))).statusCode).toBe(400);
  });

  test(`T18 a stream that breaks off ends with an error, and never hangs, on ${dialect}`, async () => {
    for (const directive of ["sandbox:error-after=2", "sandbox:error-after=8", "sandbox:cut"]) {
      const prompt = `${directive} ${question}`;
      const seen = await readAll(streamText({ ...desk.to(id), prompt, onError: () => {} }));
      expect(seen.errors).toHaveLength(1);
      expect(seen.finish).not.toBe("stop");
    }
  });

  test(`N2 a busy upstream is a 429 that may be tried again, on ${dialect}`, async () => {
    const busy = { ...desk.to(id), prompt: "sandbox:status=429 lighthouses" };
    expect(await apiErrorOf(generateText(busy))).toMatchObject({
      statusCode: 429,
      isRetryable: true,
    });
  });
}
