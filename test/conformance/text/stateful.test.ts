// State that vendors keep or sign belongs to the channel and key that made it, and to one account.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { startSandbox } from "../../../sandbox/server.ts";
import { errorOf } from "../../harness/ask.ts";
import { balanceOf } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { list } from "../../harness/clients/client.ts";
import { Folder } from "../../harness/folder.ts";
import { type Gateway, rootKey, startGateway } from "../../harness/gateway.ts";
import { Vendor, type VendorScript } from "../../harness/vendor.ts";
import { answers, refuses, wires } from "../../harness/wires.ts";

setDefaultTimeout(60_000);

const folder = new Folder();
const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
const left = new Vendor(answers("messages", "Left."));
const right = new Vendor(answers("messages", "Right."));
let gateway: Gateway;
let customer: { id: string; key: string; keyId: string };

const config = JSON.stringify({
  channels: [
    ...["one", "two"].map((name, at) => ({
      name,
      type: "openai",
      format: "responses",
      base_url: `${sandbox.url}/openai`,
      keys: [1001, 2001].map((number) => `sk-kept-${number + at}`),
      models: ["kept"],
      allow_private: true,
    })),
    ...[left, right].map((vendor, at) =>
      vendor.channel({ name: `signer ${at}`, models: ["signed"], ...wires.messages.channel }),
    ),
    ...[left, right].map((vendor, at) =>
      vendor.channel({ name: `keeper ${at}`, models: ["bound"], ...wires.responses.channel }),
    ),
  ],
  prices: ["kept", "signed", "bound"].map((model) => ({
    model,
    input_micros_per_million: 1e6,
    output_micros_per_million: 1e6,
  })),
  distribution: { failures_to_eject: 1000, retry_budget_percent: 100 },
});

beforeAll(async () => {
  gateway = await startGateway({ config, folder: folder.path });
  customer = await gateway.customer(1_000_000_000);
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox.close();
  folder[Symbol.dispose]();
  for (const vendor of [left, right]) vendor[Symbol.dispose]();
});

async function respond(fields: JsonObject, key: string = rootKey): Promise<JsonObject> {
  const response = await gateway.post("/v1/responses", { model: "kept", ...fields }, key);
  const answer = (await response.json()) as JsonObject;
  if (response.status !== 200) throw new Error(JSON.stringify(answer));
  return answer;
}

/** Key of the sandbox that was used last. */
function lastKey(): string {
  return sandbox.calls().recent.at(-1)?.bearerLast4 ?? "";
}

describe("a stored response", () => {
  test("T11 is built on by the channel and key that made it, whole and streamed", async () => {
    const used = new Set<string>();
    for (let round = 0; round < 8; round++) {
      const first = await respond({ input: `I live in town ${round}.` });
      const maker = sandbox.calls().recent.at(-1);
      const second = await respond({
        input: "Go on.",
        previous_response_id: first["id"] as string,
      });
      expect(lastKey()).toBe(maker?.bearerLast4 ?? "none");
      const body = {
        model: "kept",
        input: "And on.",
        previous_response_id: second["id"],
        stream: true,
      };
      const third = await gateway.post("/v1/responses", body);
      expect(clients.responses.read(clients.responses.assemble(await third.text())).stop).toBe(
        "completed",
      );
      expect(lastKey()).toBe(maker?.bearerLast4 ?? "none");
      used.add(maker?.bearerLast4 ?? "none");
    }
    expect(used.size).toBeGreaterThan(1);
  });

  test("T11 that was streamed is built on as well", async () => {
    for (let round = 0; round < 4; round++) {
      const response = await gateway.post("/v1/responses", {
        model: "kept",
        input: "Hi.",
        stream: true,
      });
      const { id } = clients.responses.assemble(await response.text()) as { id: string };
      await respond({ input: "Go on.", previous_response_id: id });
    }
  });

  test("T11 is built on after the gateway was started anew", async () => {
    const made: string[] = [];
    for (let round = 0; round < 6; round++) {
      made.push(String((await respond({ input: `I live in town ${round}.` }))["id"]));
    }
    expect(await gateway.stop()).toBe(0);
    gateway = await startGateway({ config, folder: folder.path });
    for (const id of made) await respond({ input: "Go on.", previous_response_id: id });
    const [first = ""] = made;
    expect((await gateway.get(`/v1/responses/${first}`)).status).toBe(200);
  });

  test("A9 T11 is unknown to another account, on every route, and nothing is sent", async () => {
    const id = String((await respond({ input: "My secret is 4711." }))["id"]);
    const before = sandbox.calls().total;
    for (const previous of [id, "resp_none"]) {
      for (const path of ["/v1/responses", "/v1/responses/compact"]) {
        const body = { model: "kept", input: "What is my secret?", previous_response_id: previous };
        const response = await gateway.post(path, body, customer.key);
        expect(response.status).toBe(400);
        expect(await errorOf(response)).toMatchObject({
          code: "previous_response_not_found",
          param: "previous_response_id",
        });
      }
      for (const path of [`/v1/responses/${previous}`, `/v1/responses/${previous}/input_items`]) {
        expect((await gateway.get(path, customer.key)).status).toBe(404);
      }
      const headers = { authorization: `Bearer ${customer.key}` };
      for (const [method, part] of [
        ["DELETE", ""],
        ["POST", "/cancel"],
      ] as const) {
        const url = `${gateway.url}/v1/responses/${previous}${part}`;
        const response = await fetch(url, { method, headers });
        expect(response.status).toBe(404);
        expect(await errorOf(response)).toMatchObject({ code: "not_found" });
      }
    }
    expect(sandbox.calls().total).toBe(before);
    expect((await gateway.get(`/v1/responses/${id}`)).status).toBe(200);
  });

  test("N5 is read, listed and deleted by its account, for nothing", async () => {
    const made = await respond({ input: "I live in Bergen." }, customer.key);
    const { used_micros: used } = await balanceOf(gateway, customer.id);
    const path = `/v1/responses/${String(made["id"])}`;
    const { key: sibling } = await gateway.control<{ key: string }>("POST", "/api/token", {
      name: "sibling",
      account: (await gateway.control<{ username: string }>("GET", `/api/user/${customer.id}`))
        .username,
    });
    for (const key of [customer.key, sibling]) {
      const read = (await (await gateway.get(path, key)).json()) as JsonObject;
      expect(read).toMatchObject({ id: made["id"] as string, status: "completed" });
      expect(read["output"]).toEqual(made["output"] ?? null);
    }
    const listed = await gateway.get(`${path}/input_items?limit=1&order=asc`, customer.key);
    expect(await listed.json()).toMatchObject({
      object: "list",
      data: [{ type: "message", content: [{ text: "I live in Bergen." }] }],
      has_more: false,
    });
    const headers = { authorization: `Bearer ${customer.key}` };
    const deleted = await fetch(gateway.url + path, { method: "DELETE", headers });
    expect(await deleted.json()).toMatchObject({ id: made["id"] as string, deleted: true });
    expect((await gateway.get(path, customer.key)).status).toBe(404);
    expect((await balanceOf(gateway, customer.id)).used_micros).toBe(used);
  });

  test("A8 is asked for upstream without anything else of the client's address", async () => {
    left.script = answers("responses", "Left.");
    right.script = answers("responses", "Right.");
    const made = await respond({ model: "bound", input: "Hello?" });
    const path = `/v1/responses/${String(made["id"])}/input_items?limit=5&key=sk-secret&after=a%26b`;
    for (const vendor of [left, right]) {
      vendor.script = (_request, reply) => reply.json({ object: "list", data: [] });
    }
    expect((await gateway.get(path)).status).toBe(200);
    const sent = [left, right]
      .flatMap(({ requests }) => requests)
      .find((one) => one.path.includes("input_items"));
    expect(sent?.path).toBe(`/v1/responses/${String(made["id"])}/input_items?limit=5&after=a%26b`);
  });

  test("T11 is not looked for elsewhere when its own channel fails", async () => {
    left.script = answers("responses", "Left.");
    right.script = answers("responses", "Right.");
    const made = await respond({ model: "bound", input: "Hello?" });
    const isLeft = clients.responses.read(made).text === "Left.";
    const [maker, other] = isLeft ? [left, right] : [right, left];
    maker.script = refuses("responses", 500, "Out of order.");
    const before = other.requests.length;
    const body = { model: "bound", input: "Go on.", previous_response_id: made["id"] };
    expect((await gateway.post("/v1/responses", body)).status).toBe(500);
    expect(other.requests).toHaveLength(before);
  });

  test("T11 holds the price of a whole window, since what is kept is read again", async () => {
    const rich = await gateway.customer(10_000_000);
    const poor = await gateway.customer(50_000);
    for (const [{ key }, status] of [
      [rich, 200],
      [poor, 402],
    ] as const) {
      const made = await respond({ input: "Hi.", max_output_tokens: 100 }, key);
      const body = {
        model: "kept",
        input: "Go on.",
        max_output_tokens: 100,
        previous_response_id: made["id"],
      };
      expect((await gateway.post("/v1/responses", body, key)).status).toBe(status);
    }
  });
});

describe("what a vendor signed", () => {
  test("T9 encrypted reasoning goes back to the key that made it", async () => {
    const fields = {
      reasoning: { effort: "low" },
      include: ["reasoning.encrypted_content"],
      store: false,
    };
    for (let round = 0; round < 8; round++) {
      const input = [{ role: "user", content: `Round ${round}.` }];
      const made = await respond({ ...fields, input });
      const maker = lastKey();
      const items = list<JsonObject>(made["output"]);
      expect(items[0]?.["encrypted_content"]).toEqual(expect.any(String));
      await respond({
        ...fields,
        input: [...input, ...items, { role: "user", content: "Go on." }],
      });
      expect(lastKey()).toBe(maker);
    }
  });

  /** Thinking with a signature that only this vendor has made. */
  function thinks(signature: string): VendorScript {
    const content = [
      { type: "thinking", thinking: "Hm.", signature },
      { type: "text", text: signature },
    ];
    const reply = { ...wires.messages.reply("", { input: 1, output: 1 }), content };
    return (_request, { json }) => json(reply);
  }

  test.each(["messages", "chat", "responses", "content"] as const)(
    "T16 thinking goes back to the channel that signed it, from a client of %s",
    async (client) => {
      const { path, body, next, read } = clients[client];
      const used = new Set<string>();
      for (let round = 0; round < 24; round++) {
        left.script = thinks(`left-${client}-${round}`);
        right.script = thinks(`right-${client}-${round}`);
        const first = body({ model: "signed", prompt: "Hello?", thinks: true }, false);
        const made = await gateway.post(path("signed", false), first);
        const reply = (await made.json()) as JsonObject;
        const [side = ""] = read(reply).text.split("-");
        const maker = side === "left" ? left : right;
        used.add(side);
        const before = maker.requests.length;
        const later = await gateway.post(path("signed", false), next(first, reply, []));
        expect(later.status).toBe(200);
        expect(maker.requests).toHaveLength(before + 1);
        expect(maker.requests.at(-1)?.text).toContain(`"signature":"${side}-${client}-${round}"`);
      }
      expect(used.size).toBe(2);
    },
  );

  test("T16 what one signed is not lost when that one fails: another goes on without it", async () => {
    left.script = thinks("left-only");
    right.script = thinks("right-only");
    const first = clients.chat.body({ model: "signed", prompt: "Hello?", thinks: true }, false);
    const made = (await (await gateway.post("/v1/chat/completions", first)).json()) as JsonObject;
    const isLeft = clients.chat.read(made).text === "left-only";
    const [maker, other] = isLeft ? [left, right] : [right, left];
    maker.script = refuses("messages", 500, "Out of order.");
    other.script = answers("messages", "From the other.");
    const next = clients.chat.next(first, made, []);
    const response = await gateway.post("/v1/chat/completions", next);
    expect(clients.chat.read((await response.json()) as JsonObject).text).toBe("From the other.");
  });
});

describe("X-H03 a refusal of thinking", () => {
  const invalid = "messages.1.content.0: Invalid `signature` in `thinking` block";
  const conversation = {
    model: "signed",
    max_tokens: 3000,
    thinking: { type: "enabled", budget_tokens: 2000 },
    messages: [
      { role: "user", content: "Hello?" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "from elsewhere" },
          { type: "text", text: "Yes?" },
        ],
      },
      { role: "user", content: "Go on." },
    ],
  };

  /** Refuses whatever has thinking in it. */
  const strict: VendorScript = (request, reply) =>
    request.text.includes("from elsewhere")
      ? refuses("messages", 400, invalid)(request, reply)
      : answers("messages", "Mended.")(request, reply);

  test("X-H03 is mended and tried once more on the same channel", async () => {
    for (const stream of [false, true]) {
      left.script = strict;
      right.script = strict;
      const before = [left.requests.length, right.requests.length];
      const response = await gateway.post("/v1/messages", { ...conversation, stream });
      expect(response.status).toBe(200);
      expect(await response.text()).toContain("Mended.");
      const sent = [left, right].map(({ requests }, at) => requests.slice(before[at]));
      expect(sent.map(({ length }) => length).toSorted()).toEqual([0, 2]);
      const [refused, mended] = sent.flat();
      expect(refused?.body["messages"]).toEqual(conversation.messages);
      expect(mended?.body["messages"]).toEqual([
        conversation.messages[0],
        { role: "assistant", content: [{ type: "text", text: "Yes?" }] },
        conversation.messages[2],
      ]);
    }
  });

  test("X-H03 that comes again is the client's to read, after two requests", async () => {
    for (const vendor of [left, right]) vendor.script = refuses("messages", 400, invalid);
    const before = left.requests.length + right.requests.length;
    const response = await gateway.post("/v1/messages", conversation);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ message: invalid });
    expect(left.requests.length + right.requests.length).toBe(before + 2);
  });

  test("X-H03 of another kind is not tried again", async () => {
    for (const vendor of [left, right]) vendor.script = refuses("messages", 400, "Too hot.");
    const before = left.requests.length + right.requests.length;
    expect((await gateway.post("/v1/messages", conversation)).status).toBe(400);
    expect(left.requests.length + right.requests.length).toBe(before + 1);
  });
});
