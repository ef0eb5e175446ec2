// The usage log has the message of a refusal as its client read it, where the gateway wrote it. A
// vendor's message may quote the prompt, and stays with the attempts.
import { beforeAll, describe, expect, test } from "bun:test";
import type { ListedLog } from "../../../src/admin/log/contract.ts";
import { newCompany } from "../../harness/accounts/organisation.ts";
import { as, newPerson, type Person } from "../../harness/accounts/usage.ts";
import { chatBody, errorOf } from "../../harness/ask.ts";
import { logRow } from "../../harness/books.ts";
import { password } from "../../harness/browser.ts";
import { runCommand } from "../../harness/command.ts";
import { rootToken, startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import {
  completion,
  delta,
  Vendor,
  type VendorReply,
  type VendorRequest,
} from "../../harness/vendor.ts";

const secret = "the merger with Northwind";
const quoting = { message: `Invalid prompt: "${secret}"`, type: "t", code: secret, param: secret };

/** Answers of the vendor by model: all that it says quotes the prompt. */
const faults: Record<string, (reply: VendorReply, request: VendorRequest) => void> = {
  serves: (reply) => reply.json(completion("Yes.")),
  refuses: (reply) => reply.json({ error: quoting }, 400),
  "knows-no-key": (reply) => reply.json({ error: quoting }, 401),
  forbids: (reply) => reply.json({ error: quoting }, 403),
  "is-too-small": (reply) => reply.json({ error: quoting }, 413),
  "is-busy": (reply) => reply.json({ error: quoting }, 429),
  fails: (reply) => reply.json({ error: quoting }, 500),
  "fails-as-200": (reply) => reply.json({ error: quoting }),
  "is-no-json": (reply) => reply.json(secret),
  "breaks-first": (reply) => {
    reply.stream();
    reply.event({ error: quoting });
    reply.end();
  },
  "breaks-later": (reply) => {
    reply.stream();
    reply.event(delta({ role: "assistant", content: "Yes" }));
    reply.event({ error: quoting });
    reply.end();
  },
};
const models = Object.keys(faults);
const vendor = kept(
  new Vendor((request, reply) => faults[String(request.body["model"])]?.(reply, request)),
);

const priced = models.map((model) => ({ model, call_micros: 1000 }));
const gateway = useStand(() => startGateway({ config: JSON.stringify({ prices: priced }) }));
let person: Person;

beforeAll(async () => {
  for (const model of models) {
    const channel = vendor.channel({ name: model, models: [model] });
    await gateway.control("POST", "/api/channel", channel);
  }
  person = await newPerson(gateway, 1_000_000);
});

interface Row {
  error_code: string | null;
  error_message: string | null;
  error_detail?: string | null;
}

const chat = "/v1/chat/completions";
const rowIn = async (token: string, path: string): Promise<Row | undefined> =>
  (await as<{ items: Row[] }>(gateway, token, path)).items[0];

describe("the message of a refusal", () => {
  const tooFew = chatBody("serves", { messages: [] });
  const unknown = chatBody("no-such-model");

  test.each([
    ["a wrong field", tooFew],
    ["an unknown model", unknown],
  ])("N27 of %s is in the log, for its owner and for operators", async (_name, body) => {
    const response = await gateway.post(chat, body, person.key);
    const id = response.headers.get("x-request-id") ?? "";
    const { message } = await errorOf(response);
    expect(message.length).toBeGreaterThan(10);
    expect((await logRow(gateway, response)).error_message).toBe(message);
    for (const path of [`/api/log/${id}`, `/api/log?request_id=${id}`]) {
      expect((await rowIn(rootToken, path))?.error_message).toBe(message);
    }
    const own = await rowIn(person.token, `/api/log/self/${id}`);
    expect(own?.error_message).toBe(message);
    expect(own).not.toHaveProperty("error_detail");
  });

  test("N27 is none where the request was served", async () => {
    const response = await gateway.post(chat, chatBody("serves"), person.key);
    expect(response.status).toBe(200);
    await response.text();
    const row = await logRow(gateway, response);
    expect([row.error_message, row.error_detail]).toEqual([null, null]);
  });

  test("N27 is cut after 400 bytes, between two characters", async () => {
    const names = Array.from({ length: 8 }, (_, at) => `é${"模".repeat(30)}${at}`);
    const { key } = await newPerson(gateway, 1000, { models: names });
    const response = await gateway.post(chat, chatBody("serves"), key);
    const { message } = await errorOf(response);
    expect(Buffer.byteLength(message)).toBeGreaterThan(500);
    const { error_message: noted } = await logRow(gateway, response);
    expect(message).toStartWith(noted ?? "none");
    const bytes = Buffer.byteLength(noted ?? "");
    expect(bytes).toBeLessThanOrEqual(400);
    expect(bytes).toBeGreaterThan(396);
  });

  test("N27 is shown by the command line", async () => {
    const response = await gateway.post(chat, unknown, person.key);
    const { message } = await errorOf(response);
    await logRow(gateway, response);
    const id = response.headers.get("x-request-id") ?? "";
    const options = { folder: gateway.folder, environment: { SLUICE_TOKEN: rootToken } };
    const shown = await runCommand(options, "log", "show", id);
    expect(shown.out).toContain(message);
    const tail = await runCommand(options, "log", "tail", "--limit", "5");
    expect(tail.out).toContain(message);
  });
});

describe("a vendor's words", () => {
  const plain = (model: string) =>
    chatBody(model, { messages: [{ role: "user", content: secret }] });
  const asMessages = (model: string) => ({ ...plain(model), max_tokens: 9 });
  const faulty = models.filter((model) => model !== "serves");
  const bodies = faulty.flatMap((model) =>
    [false, true].flatMap((stream) => [
      [chat, model, JSON.stringify({ ...plain(model), stream })] as const,
      ["/v1/messages", model, JSON.stringify({ ...asMessages(model), stream })] as const,
    ]),
  );

  test("N27 are read in the attempts by operators", async () => {
    const response = await gateway.post(chat, plain("refuses"), person.key);
    expect((await errorOf(response)).message).toContain(secret);
    await logRow(gateway, response);
    const id = response.headers.get("x-request-id") ?? "";
    const { items } = await as<ListedLog>(gateway, rootToken, `/api/log/${id}`);
    expect(items[0]?.tries?.[0]?.words).toContain(secret);
    expect(items[0]?.error_message).toBeNull();
  });

  test.each(bodies)("N27 %s %s stay with the attempts", async (path, _model, body) => {
    const response = await gateway.post(path, JSON.parse(body), person.key);
    await response.text();
    const row = await logRow(gateway, response);
    expect(row.error_code).not.toBeNull();
    expect(JSON.stringify({ ...row, tries: null })).not.toContain("Northwind");
  });
});

test("N27 a request that is wrong in any place is refused without a word of its prompt", async () => {
  const said = { role: "user", content: secret };
  const tool = { type: "function", function: { name: "f", description: secret, parameters: {} } };
  const wrong: object[] = [
    { messages: secret },
    { messages: [secret] },
    { messages: [{ role: secret, content: secret }] },
    { messages: [{ role: "user", content: { text: secret } }] },
    { messages: [{ role: "user", content: [{ type: secret, text: secret }] }] },
    { messages: [{ role: "user", content: [{ type: "image_url", image_url: secret }] }] },
    { messages: [{ role: "tool", content: secret }] },
    { messages: [said], tools: secret },
    { messages: [said], tools: [{ ...tool, function: secret }] },
    { messages: [said], tool_choice: { type: "function", function: { name: 1, about: secret } } },
    { messages: [said], response_format: { type: "json_schema", json_schema: secret } },
    { messages: [said], max_tokens: secret },
    { messages: [said], stop: { [secret]: secret } },
    { messages: [said], n: secret, metadata: { [secret]: secret } },
    { messages: [said], stream: secret, stream_options: secret },
  ];
  let refused = 0;
  for (const path of [chat, "/v1/messages", "/v1/responses"]) {
    for (const fields of wrong) {
      const response = await gateway.post(path, { model: "serves", ...fields }, person.key);
      await response.text();
      const row = await logRow(gateway, response);
      if (row.error_message !== null) refused++;
      expect([path, row.error_message]).toEqual([path, expect.not.stringContaining("Northwind")]);
    }
  }
  expect(refused).toBeGreaterThan(20);
});

test("N27 goes with the account for good", async () => {
  const gone = await newPerson(gateway, 1000);
  const response = await gateway.post(chat, chatBody("no-such-model"), gone.key);
  expect((await logRow(gateway, response)).error_message).not.toBeNull();
  const { username } = gone;
  await gateway.control("POST", `/api/user/${gone.id}/erase`, { username });
  const row = await logRow(gateway, response);
  expect([row.error_code, row.error_message]).toEqual(["model_not_found", null]);
});

describe("sums in the message", () => {
  test("N27 are for operators who may read money", async () => {
    const { key } = await newPerson(gateway, 10);
    const response = await gateway.post(chat, chatBody("serves"), key);
    const { message } = await errorOf(response);
    expect(message).toContain("$0.00001 left");
    await logRow(gateway, response);
    const id = response.headers.get("x-request-id") ?? "";
    const made = { username: "helpdesk", password, role: "support" };
    const { id: account } = await gateway.control<{ id: string }>("POST", "/api/user", made);
    const { token } = await gateway.control<{ token: string }>(
      "POST",
      `/api/user/${account}/token`,
    );
    const seen = (await rowIn(token, `/api/log/${id}`))?.error_message ?? "";
    expect(seen).toStartWith("Not enough quota");
    expect(seen).not.toMatch(/\$\d/);
    expect((await rowIn(rootToken, `/api/log/${id}`))?.error_message).toBe(message);
  });

  test("N27 of a budget that a member is not told of are for operators alone", async () => {
    const acme = await newCompany(gateway, "acme");
    await gateway.control("POST", `/api/user/${acme.id}/credit`, { micros: 1e6, reason: "paid" });
    const whole = { account: acme.id, name: "board", limit_micros: 0 };
    await gateway.control("POST", "/api/budget", whole);
    const { member } = acme.people;
    const made = await member.ask<{ key: string }>("POST", `/api/token?${acme.as}`, {
      name: "k",
      unlimited: true,
    });
    const response = await gateway.post(chat, chatBody("serves"), made.key);
    const { message } = await errorOf(response);
    expect(message).not.toContain("board");
    const row = await logRow(gateway, response);
    expect(row.error_message).toBe(message);
    expect(row.error_detail).toStartWith('The budget "board" is spent: $0.00 of $0.00. ');
    const id = response.headers.get("x-request-id") ?? "";
    const own = await member.ask<{ items: Row[] }>("GET", `/api/log/self/${id}?${acme.as}`);
    expect(own.items[0]?.error_message).toBe(message);
    expect(JSON.stringify(own)).not.toContain("board");
  });
});
