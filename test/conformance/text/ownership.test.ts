// Requests that refer to what a vendor keeps: only to what was made for the same account, and only
// by the channels that the key may use.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { startSandbox } from "../../../sandbox/server.ts";
import { errorOf } from "../../harness/ask.ts";
import { clients } from "../../harness/clients/index.ts";
import { list } from "../../harness/clients/client.ts";
import { rootKey, startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const path = "/v1/responses";
const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
/** Keys of one account in two groups, and of another account. */
let owner: { id: string; key: string };
let ownersOther: string;
let stranger: { id: string; key: string };

function channel(name: string, keys: string[], fields: object): object {
  const vendor = { type: "openai", format: "responses", base_url: `${sandbox.url}/openai` };
  return { name, ...vendor, keys, allow_private: true, ...fields };
}

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      groups: [{ name: "cheap", multiplier: 0.1 }],
      channels: [
        channel("one", ["sk-kept-1001", "sk-kept-1002"], { models: ["kept"] }),
        channel("two", ["sk-kept-2001", "sk-kept-2002"], { models: ["kept"] }),
        channel("three", ["sk-kept-3001"], { models: ["elsewhere"] }),
        channel("four", ["sk-kept-4001"], { models: ["kept"], groups: ["cheap"] }),
      ],
      unpriced: "free",
    }),
  }),
);

beforeAll(async () => {
  owner = await gateway.customer(1_000_000);
  stranger = await gateway.customer(1_000_000);
  const { username } = await gateway.control<{ username: string }>("GET", `/api/user/${owner.id}`);
  const other = { name: "cheap one", account: username, group: "cheap" };
  ownersOther = (await gateway.control<{ key: string }>("POST", "/api/token", other)).key;
});

afterAll(async () => {
  await sandbox.close();
});

async function respond(fields: JsonObject, key: string = owner.key): Promise<JsonObject> {
  const response = await gateway.post(path, { model: "kept", ...fields }, key);
  const answer = (await response.json()) as JsonObject;
  if (response.status !== 200) throw new Error(JSON.stringify(answer));
  return answer;
}

interface Refusal {
  status: number;
  param: string | null;
  code: string | null;
}

/** Answer to a request that no vendor may see. */
async function refusal(to: string, body: JsonObject, key: string = owner.key): Promise<Refusal> {
  const before = sandbox.calls().total;
  const response = await gateway.post(to, { model: "kept", ...body }, key);
  expect(sandbox.calls().total).toBe(before);
  const { param, code } = await errorOf(response);
  return { status: response.status, param, code };
}

const lastKey = () => sandbox.calls().recent.at(-1)?.bearerLast4 ?? "none";
const says = (content: string) => ({ role: "user", content });
const referTo = (reply: JsonObject) =>
  list<JsonObject>(reply["output"]).map(({ id }) => ({ type: "item_reference", id }));
const unknownResponse = {
  status: 400,
  param: "previous_response_id",
  code: "previous_response_not_found",
};
const unknownItem = (param: string) => ({ status: 400, param, code: "invalid_request" });

describe("an item that a vendor keeps", () => {
  test("T11 is referred to where it was made, whole and streamed", async () => {
    for (let round = 0; round < 8; round++) {
      const isStream = round % 2 === 1;
      const asked = says(`I live in town ${round}.`);
      const reasoning = { effort: "low" };
      const body = { model: "kept", input: [asked], reasoning, stream: isStream };
      const made = await gateway.post(path, body, owner.key);
      const text = await made.text();
      const reply = isStream ? clients.responses.assemble(text) : (JSON.parse(text) as JsonObject);
      const maker = lastKey();
      expect(referTo(reply)).toHaveLength(2);
      await respond({ input: [asked, ...referTo(reply), says("Go on.")] });
      expect(lastKey()).toBe(maker);
    }
  });

  test("A9 is nobody else's, alone or among one's own", async () => {
    const reply = await respond({ input: "My secret is 4711." });
    const input = [says("Well?"), ...referTo(reply)];
    expect(await refusal(path, { input }, stranger.key)).toEqual(unknownItem("input.1"));
    const own = await respond({ input: "Hello?" }, stranger.key);
    const mixed = [...referTo(own), ...referTo(reply)];
    expect(await refusal(path, { input: mixed }, stranger.key)).toEqual(unknownItem("input.1"));
    const both = { previous_response_id: String(own["id"]), input: referTo(reply) };
    expect(await refusal(path, both, stranger.key)).toEqual(unknownItem("input.0"));
  });

  test("A9 that nobody made is a 400 that names it", async () => {
    const input = [says("Well?"), { type: "item_reference", id: "msg_none" }];
    for (const to of [path, `${path}/compact`, `${path}/input_tokens`]) {
      expect(await refusal(to, { input })).toEqual(unknownItem("input.1"));
    }
  });

  test("A9 a conversation that a vendor keeps is nobody's", async () => {
    for (const conversation of ["conv_1", { id: "conv_1" }]) {
      const body = { input: "Well?", conversation };
      for (const to of [path, `${path}/input_tokens`]) {
        expect(await refusal(to, body)).toEqual(unknownItem("conversation"));
      }
    }
  });
});

describe("a response that a vendor keeps", () => {
  test("A7 is not gone on with by a channel outside of the key's group", async () => {
    const { id } = await respond({ input: "Hello?" });
    const body = { input: "Go on.", previous_response_id: id as string };
    expect(await refusal(path, body, ownersOther)).toEqual(unknownResponse);
    const reply = await respond({ input: "Hello?" }, ownersOther);
    expect(lastKey()).toBe("4001");
    const other = { input: "Go on.", previous_response_id: reply["id"] as string };
    expect(await refusal(path, other)).toEqual(unknownResponse);
    const referring = { input: [says("Go on."), ...referTo(reply)] };
    expect(await refusal(path, referring)).toEqual(unknownItem("input.1"));
    await respond(other, ownersOther);
  });

  test("A7 is not gone on with by a channel that does not serve the model", async () => {
    const { id } = await respond({ input: "Hello?" });
    const body = { model: "elsewhere", input: "Go on.", previous_response_id: id as string };
    expect(await refusal(path, body)).toEqual(unknownResponse);
  });

  test("N5 is counted where it was made, for its own account alone", async () => {
    const to = `${path}/input_tokens`;
    const plain = await gateway.post(to, { model: "kept", input: "Go on." }, owner.key);
    const { input_tokens: few } = (await plain.json()) as { input_tokens: number };
    for (let round = 0; round < 6; round++) {
      const { id } = await respond({ input: "I have lived in Bergen for a very long time now." });
      const maker = lastKey();
      const body = { input: "Go on.", previous_response_id: id as string };
      const response = await gateway.post(to, { model: "kept", ...body }, owner.key);
      const { input_tokens: more } = (await response.json()) as { input_tokens: number };
      expect(more).toBeGreaterThan(few + 20);
      expect(lastKey()).toBe(maker);
      expect(await refusal(to, body, stranger.key)).toEqual(unknownResponse);
      expect(await refusal(to, body, ownersOther)).toEqual(unknownResponse);
    }
    const none = { input: "Go on.", previous_response_id: "resp_none" };
    expect(await refusal(to, none, rootKey)).toEqual(unknownResponse);
  });
});
