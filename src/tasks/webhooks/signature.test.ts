import { expect, test } from "bun:test";
import OpenAI from "openai";
import type { AccountId } from "../../core/ids.ts";
import { signedHeaders, webhookSecret } from "./signature.ts";

test("N15 a call is signed as Standard Webhooks has it", () => {
  const call = { id: "msg_1", atSeconds: 1_790_000_000, body: '{"type":"video.completed"}' };
  expect(signedHeaders(call, ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])).toEqual({
    "content-type": "application/json",
    "webhook-id": "msg_1",
    "webhook-timestamp": "1790000000",
    "webhook-signature": "v1,gh3xhZwPDU1V0Z36LAg2yRtMlpZ8nz6NosfZBVXAKo4=",
  });
});

test("N15 OpenAI's client takes a call for ours with the account's secret, and with no other", async () => {
  const secret = webhookSecret("master", "acc_1" as AccountId);
  const body = JSON.stringify({ type: "video.completed", data: { id: "task_1" } });
  const atSeconds = Math.floor(Date.now() / 1000);
  const headers = signedHeaders({ id: "msg_1", atSeconds, body }, [secret]);
  const { webhooks } = new OpenAI({ apiKey: "none" });
  expect(await webhooks.unwrap(body, headers, secret)).toMatchObject({ type: "video.completed" });
  const other = webhookSecret("master", "acc_2" as AccountId);
  const refused = await webhooks.unwrap(body, headers, other).catch((error: Error) => error.name);
  expect(typeof refused).toBe("string");
});

test("hazard H13 while a secret is changed a call has the signatures of both", async () => {
  const secretOf = (version: number) => webhookSecret("master", "acc_1" as AccountId, version);
  const body = JSON.stringify({ type: "video.completed", data: { id: "task_1" } });
  const atSeconds = Math.floor(Date.now() / 1000);
  const both = [secretOf(2), secretOf(1)];
  const headers = signedHeaders({ id: "msg_1", atSeconds, body }, both);
  const { webhooks } = new OpenAI({ apiKey: "none" });
  for (const secret of both) {
    expect(await webhooks.unwrap(body, headers, secret)).toMatchObject({ type: "video.completed" });
  }
  const unwrapped = webhooks.unwrap(body, headers, secretOf(0));
  expect(await unwrapped.catch((error: Error) => error.name)).toBeString();
});

test("secrets differ by account and by installation, and stay the same", () => {
  const of = (master: string, account: string) => webhookSecret(master, account as AccountId);
  expect(of("one", "acc_1")).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(of("one", "acc_1")).toBe(of("one", "acc_1"));
  expect(new Set([of("one", "acc_1"), of("one", "acc_2"), of("two", "acc_1")]).size).toBe(3);
  const changed = webhookSecret("one", "acc_1" as AccountId, 1);
  expect(changed).not.toBe(of("one", "acc_1"));
});
