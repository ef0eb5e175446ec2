// Agents' words on their sessions and turns, and the vendors' knowledge of them.
import { beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rootKey, startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { Vendor, type VendorScript } from "../../harness/vendor.ts";
import { wires } from "../../harness/wires.ts";

setDefaultTimeout(60_000);

const state = "x-codex-turn-state";
const counts = { input: 10, output: 20 };

/** Tells a state with every answer, whole or streamed. */
const states: VendorScript = ({ body }, reply) => {
  if (body["stream"] !== true) {
    return reply.json(wires.responses.reply("Yes.", counts), 200, { [state]: "of-the-vendor" });
  }
  const { responses } = wires;
  const events = responses.opening() + responses.delta("Yes.") + responses.ending("Yes.", counts);
  const head = `content-type: text/event-stream\r\n${state}: of-the-vendor\r\nconnection: close`;
  reply.raw(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${events}`);
  return reply.cut();
};

const vendors = [kept(new Vendor(states)), kept(new Vendor(states))] as const;
const chat = kept(new Vendor((_request, reply) => reply.json(wires.chat.reply("Yes.", counts))));
const messages = kept(
  new Vendor((_request, reply) => reply.json(wires.messages.reply("Yes.", counts))),
);

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [
        ...vendors.map((vendor, at) => ({
          ...vendor.channel({ name: `native-${at}`, format: "responses", models: ["m"] }),
          key: undefined,
          keys: ["sk-vendor-a", "sk-vendor-b", "sk-vendor-c"],
        })),
        chat.channel({ name: "converted", models: ["other"] }),
        messages.channel({ name: "claude", type: "anthropic", models: ["claude"] }),
      ],
      unpriced: "free",
    }),
  }),
);

beforeEach(() => {
  for (const vendor of [...vendors, chat, messages]) vendor.requests.length = 0;
});

async function ask(headers: Record<string, string>, fields: object = {}, key: string = rootKey) {
  const response = await fetch(`${gateway.url}/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "m", input: "hi", ...fields }),
  });
  const text = await response.text();
  expect([text, response.status]).toEqual([text, 200]);
  return response.headers.get(state);
}

const seen = () =>
  vendors.flatMap(({ requests }, at) =>
    requests.map(({ headers }) => ({ at, key: headers["authorization"], state: headers[state] })),
  );

describe.each([false, true])("the state of a turn (stream: %p)", (stream) => {
  test("T9 goes back to the channel and key that said it, and to no other", async () => {
    const told = await ask({}, { stream });
    expect(told).not.toContain("of-the-vendor");
    const [first] = seen();
    if (!first) throw new Error("nobody was asked");
    for (let turn = 0; turn < 8; turn++) await ask({ [state]: told ?? "" }, { stream });
    const again = seen().filter((one) => one.state !== undefined);
    expect(again).toEqual(Array.from({ length: 8 }, () => ({ ...first, state: "of-the-vendor" })));
  });

  test.each([
    ["of nobody", "anything"],
    ["of the vendor itself", "of-the-vendor"],
    ["that is too long", "v1.".padEnd(9000, "x")],
  ])("T9 one %s is dropped silently", async (_name, foreign) => {
    expect(await ask({ [state]: foreign }, { stream })).not.toBeNull();
    expect(seen().map((one) => one.state)).toEqual([undefined]);
  });

  test("T9 that of another account is dropped silently", async () => {
    const told = await ask({}, { stream });
    const { key } = await gateway.customer(1_000_000);
    await ask({ [state]: told ?? "" }, { stream }, key);
    expect(seen().filter((one) => one.state !== undefined)).toEqual([]);
  });

  test("T9 is neither sent nor told where the upstream speaks another format", async () => {
    const told = await ask({}, { stream });
    if (stream) return;
    expect(await ask({ [state]: told ?? "" }, { model: "other" })).toBeNull();
    expect(chat.requests.at(-1)?.headers[state]).toBeUndefined();
  });
});

describe("the headers of a session", () => {
  const session = "0199d2f4-0000-7000-8000-000000000001";
  const codex = { "session-id": session, "thread-id": session, "x-codex-turn-metadata": "{}" };
  const sent = (vendor: Vendor) => vendor.requests.at(-1)?.headers ?? {};
  const asked = async (headers: Record<string, string>, key?: string) => {
    await ask(headers, {}, key);
    return seen().length === 0
      ? {}
      : sent(vendors[0].requests.length > 0 ? vendors[0] : vendors[1]);
  };

  test("T9 reach a vendor of the client's own format under a name of ours", async () => {
    const one = await asked(codex);
    expect(one["session-id"]).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(one["session-id"]).not.toBe(session);
    expect(one["thread-id"]).toBe(one["session-id"] ?? "");
    for (const vendor of vendors) vendor.requests.length = 0;
    expect(await asked(codex)).toMatchObject({ "session-id": one["session-id"] });
    for (const vendor of vendors) vendor.requests.length = 0;
    const { key } = await gateway.customer(1_000_000);
    expect((await asked(codex, key))["session-id"]).not.toBe(one["session-id"]);
  });

  test("T9 that say more than a session reach nobody", async () => {
    const told = {
      ...codex,
      originator: "codex_cli_rs",
      "chatgpt-account-id": "acc",
      "x-codex-installation-id": "here",
      "user-agent": "codex_cli_rs/1.0 (Debian; x86_64)",
    };
    const headers = await asked(told);
    expect(headers["user-agent"]).toBe("sluice");
    for (const name of Object.keys(told)) {
      if (!["session-id", "thread-id", "user-agent"].includes(name)) {
        expect([name, headers[name]]).toEqual([name, undefined]);
      }
    }
  });

  test("T9 reach nobody where the request is converted", async () => {
    await ask(codex, { model: "other" });
    expect(sent(chat)["session-id"]).toBeUndefined();
  });

  test("T13 Claude Code's reaches a vendor of messages", async () => {
    const headers = { "x-claude-code-session-id": session };
    const body = { model: "claude", max_tokens: 9, messages: [{ role: "user", content: "hi" }] };
    const response = await fetch(`${gateway.url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": rootKey, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    expect(sent(messages)["x-claude-code-session-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });
});
