// The id of an answer leads to why it was so: each attempt, with what the vendors said.
import { afterEach, expect, test } from "bun:test";
import { as, newPerson } from "../harness/accounts/usage.ts";
import { chatBody } from "../harness/ask.ts";
import { runCommand } from "../harness/command.ts";
import { Folder } from "../harness/folder.ts";
import { rootToken, startGateway, startProcess, type Gateway } from "../harness/gateway.ts";
import { ScriptedArk } from "../harness/scripted-ark.ts";
import { completion, delta, Vendor, type VendorScript } from "../harness/vendor.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";

const config = `
sandbox: "off"
log: { level: error }
distribution: { failures_to_eject: 1000, retry_budget_percent: 100 }
`;

interface Try {
  number: number;
  outcome: string;
  started_ms: number | null;
  ended_ms: number;
  channel?: string;
  key_last4?: string | null;
  status?: number | null;
  code?: string | null;
  words?: string | null;
}

interface Trace {
  items: { request_id: string; outcome: string; attempts?: number; tries: Try[] }[];
}

const first = kept(new Vendor(() => {}));
const second = kept(new Vendor(() => {}));
const made: string[] = [];

const gateway = useStand(() => startGateway({ config }));

afterEach(async () => {
  for (const id of made.splice(0)) await gateway.control("DELETE", `/api/channel/${id}`);
});

const answers: VendorScript = (_request, reply) => reply.json(completion("Yes."));

async function addChannels(
  scripts: [VendorScript, VendorScript],
  on: Gateway = gateway,
  fields: object = {},
) {
  [first.script, second.script] = scripts;
  for (const [vendor, name, priority] of [
    [first, "first", 10],
    [second, "second", 0],
  ] as const) {
    const channel = vendor.channel({
      name,
      priority,
      key: `sk-of-${name}-0123456789-${priority}x`,
      ...fields,
    });
    const { id } = await on.control<{ id: string }>("POST", "/api/channel", channel);
    if (on === gateway) made.push(id);
  }
}

function idOf(response: Response): string {
  return response.headers.get("x-request-id") ?? "";
}

async function ask(fields: object = {}, key?: string): Promise<Response> {
  const response = await gateway.post(
    "/v1/chat/completions",
    chatBody("chatA", { ...fields }),
    key,
  );
  await response.text();
  return response;
}

async function triesOf(response: Response): Promise<Try[]> {
  const { items } = await as<Trace>(gateway, rootToken, `/api/log/${idOf(response)}`);
  expect(items.map(({ request_id: id }) => id)).toEqual([idOf(response)]);
  return items[0]?.tries ?? [];
}

const onePixelPng =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const busy = "Rate limit reached for org-123 with key sk-of-first-0123456789-10x";
const slow: VendorScript = (_request, reply) => reply.json({ error: { message: busy } }, 429);

test("Q8 a request that was served by the second channel tells what the first one said", async () => {
  await addChannels([slow, answers]);
  const response = await ask();
  expect(response.status).toBe(200);
  const tries = await triesOf(response);
  expect(tries).toMatchObject([
    {
      number: 1,
      outcome: "failed",
      channel: "first",
      key_last4: "-10x",
      status: 429,
      code: "too_many_requests",
      blame: "load",
      words: "Rate limit reached for org-123 with key [secret]",
    },
    {
      number: 2,
      outcome: "served",
      channel: "second",
      key_last4: "9-0x",
      status: 200,
      words: null,
    },
  ]);
  const [lost, served] = tries;
  expect(lost?.ended_ms).toBeGreaterThanOrEqual(lost?.started_ms ?? Infinity);
  expect(served?.started_ms).toBeGreaterThanOrEqual(lost?.ended_ms ?? Infinity);
});

test.each([
  [500, "bad_response", "The engine is on fire."],
  [401, "bad_response", "Incorrect API key provided: sk-of."],
  [400, "upstream_refused", "temperature must be at most 2."],
])("Q8 a vendor's %i is told with its code and its words", async (status, code, words) => {
  const fails: VendorScript = (_request, reply) =>
    reply.json({ error: { message: words, type: "some_error" } }, status);
  await addChannels([fails, fails]);
  const tries = await triesOf(await ask());
  expect(tries[0]).toMatchObject({ channel: "first", status, code, words });
  expect(tries.map(({ outcome }) => outcome)).toEqual(
    status === 400 ? ["refused"] : ["failed", "failed"],
  );
});

test("Q8 a connection that breaks off is told as what the network said", async () => {
  await addChannels([(_request, reply) => reply.cut(), answers]);
  const [lost] = await triesOf(await ask());
  expect(lost).toMatchObject({ outcome: "failed", status: null, code: "do_request_failed" });
  expect(lost?.words).toContain("The upstream could not be reached.");
});

test("Q8 a stream that breaks off after its first piece is told as broken", async () => {
  const breaks: VendorScript = (_request, reply) => {
    reply.stream();
    reply.event(delta({ role: "assistant", content: "He" }));
    reply.cut();
  };
  await addChannels([slow, breaks]);
  const tries = await triesOf(await ask({ stream: true }));
  expect(tries.map(({ outcome, channel }) => [outcome, channel])).toEqual([
    ["failed", "first"],
    ["broken", "second"],
  ]);
  expect(tries[1]).toMatchObject({ status: 200, words: "The upstream broke the stream off." });
});

test("Q8 a request that went well at once tells its channel and its time", async () => {
  await addChannels([answers, answers]);
  const tries = await triesOf(await ask());
  expect(tries).toMatchObject([
    { number: 1, outcome: "served", channel: "first", status: 200, words: null },
  ]);
});

test("Q8 its owner sees how often it was tried, but no channel, key, status or words", async () => {
  await addChannels([slow, answers]);
  const owner = await newPerson(gateway, 1_000_000_000);
  const other = await newPerson(gateway, 1_000_000_000);
  const id = idOf(await ask({}, owner.key));
  const { items } = await as<Trace>(gateway, owner.token, `/api/log/self/${id}`);
  expect(items[0]?.tries.map((one) => Object.keys(one).toSorted())).toEqual(
    Array.from({ length: 2 }, () => ["ended_ms", "number", "outcome", "started_ms"]),
  );
  for (const [token, path, code] of [
    [other.token, `/api/log/self/${id}`, "not_found"],
    [owner.token, `/api/log/${id}`, "permission_denied"],
  ] as const) {
    const refused = await gateway.controlEnvelope("GET", path, undefined, token);
    expect(refused).toMatchObject({ success: false, code });
  }
});

test("Q8 the list of the log has the attempts too when one request is asked for", async () => {
  await addChannels([slow, answers]);
  const id = idOf(await ask());
  const { items } = await as<Trace>(gateway, rootToken, `/api/log?request_id=${id}`);
  expect(items[0]?.tries).toHaveLength(2);
  const all = await as<Trace>(gateway, rootToken, "/api/log");
  expect(all.items.every((item) => !("tries" in item))).toBe(true);
});

test("Q8 a video that the second channel took tells why the first one did not", async () => {
  await using refusing = new ScriptedArk();
  await using taking = new ScriptedArk();
  const error = { code: "InternalServiceError", message: "No machine is free." };
  refusing.start = () => Response.json({ error }, { status: 500 });
  for (const [ark, name, priority] of [
    [refusing, "ark-a", 10],
    [taking, "ark-b", 0],
  ] as const) {
    const channel = { ...ark.channel(), name, priority };
    made.push((await gateway.control<{ id: string }>("POST", "/api/channel", channel)).id);
  }
  const body = { model: "manxue-2.0", prompt: "A fox", seconds: "5" };
  const response = await gateway.post("/v1/videos", body);
  expect(response.status).toBe(200);
  const tries = await triesOf(response);
  expect(tries).toMatchObject([
    { outcome: "failed", channel: "ark-a", status: 500, words: "No machine is free." },
    { outcome: "served", channel: "ark-b", status: 200 },
  ]);
});

test("Q8 an image that the second channel made tells why the first one did not", async () => {
  const picture = { created: 1, data: [{ b64_json: onePixelPng }] };
  const makes: VendorScript = (_request, reply) => reply.json(picture);
  await addChannels([slow, makes], gateway, { models: ["imageA-1"] });
  const body = { model: "imageA-1", prompt: "A fox", response_format: "b64_json" };
  const response = await gateway.post("/v1/images/generations", body);
  expect(response.status).toBe(200);
  await response.text();
  expect(await triesOf(response)).toMatchObject([
    { outcome: "failed", channel: "first", status: 429, words: expect.stringContaining("Rate") },
    { outcome: "served", channel: "second", status: 200 },
  ]);
});

test("Q8 attempts are kept with the request through a death of the process", async () => {
  using folder = new Folder();
  const before = await startProcess({ folder: folder.path, config });
  await addChannels([slow, answers], before);
  const response = await before.post("/v1/chat/completions", chatBody("chatA"));
  await response.text();
  await before.kill();
  expect((await runCommand({ folder: folder.path }, "ledger", "verify")).code).toBe(0);
  await using after = await startGateway({ folder: folder.path, config });
  const { items } = await as<Trace>(after, rootToken, `/api/log/${idOf(response)}`);
  expect(items[0]?.tries.map(({ channel }) => channel)).toEqual(["first", "second"]);
});

const problem = { authorization: `Bearer ${rootToken}`, accept: "application/problem+json" };

test.each([
  ["GET", "/api/log/req_unknown", 404, "not_found"],
  ["GET", "/api/nothing", 404, "not_found"],
  ["PUT", "/api/log", 405, "method_not_allowed"],
  ["GET", "/api/log?status=x", 400, "invalid_request"],
] as const)("Q9 %s %s is a %i for who asks for problems", async (method, path, status, code) => {
  const response = await fetch(gateway.url + path, { method, headers: problem });
  expect([response.status, response.headers.get("content-type")]).toEqual([
    status,
    "application/problem+json",
  ]);
  const body = (await response.json()) as Record<string, unknown>;
  expect(body).toMatchObject({ title: code, status, code, success: false });
  expect(body["instance"]).toBe(idOf(response));
  expect(body["detail"]).toBe(body["message"]);
});

test("Q9 a token that is not known is a 401 problem, and a plain 200 as ever", async () => {
  const headers = { authorization: "Bearer sat-unknown", accept: problem.accept };
  const asked = await fetch(`${gateway.url}/api/log`, { headers });
  expect(asked.status).toBe(401);
  const plain = await gateway.controlEnvelope("GET", "/api/log", undefined, "sat-unknown");
  expect(plain).toMatchObject({ success: false, message: "The access token is invalid." });
});
