// The contents of the next few requests are captured for who wants to see them: redacted, counted,
// for those alone who may, and nothing is kept of anybody else.
import { beforeAll, expect, test } from "bun:test";
import { newPerson, type Person } from "../../harness/accounts/usage.ts";
import { eventually } from "../../harness/books.ts";
import { rootToken, startGateway } from "../../harness/gateway.ts";
import { completion, delta, usageChunk, Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

interface Capture {
  id: string;
  key_name: string | null;
  requests: number;
  taken: number;
  is_on: boolean;
  may_end: boolean;
  by: string;
}
interface Content {
  request: string;
  answer: string | null;
  cut: boolean;
  upstream?: { channel: string; request: string; answer: string | null } | null;
}

const parts = ["Write to jane.doe@mail", ".example, please."];
const vendor = kept(
  new Vendor((request, reply) => {
    if (request.body["stream"] !== true) return reply.json(completion(parts.join("")));
    reply.stream();
    for (const content of parts) reply.event(delta({ content }));
    for (const event of [delta({}, "stop"), usageChunk(), "[DONE]"]) reply.event(event);
    reply.end();
  }),
);
let ann: Person;
let bob: Person;

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      sandbox: "off",
      log: { level: "error" },
      prices: [{ model: "m", call_micros: 10 }],
      channels: [vendor.channel({ name: "main", models: ["m"], model_mapping: { m: "theirs" } })],
    }),
  }),
);

beforeAll(async () => {
  ann = await newPerson(gateway, 1_000_000);
  bob = await newPerson(gateway, 1_000_000);
});

async function call(token: string, method: string, path: string, body?: object) {
  const envelope = await gateway.controlEnvelope(method, path, body, token);
  return envelope as typeof envelope & { code?: string; param?: string | null };
}

async function ok<Data>(token: string, method: string, path: string, body?: object): Promise<Data> {
  const answer = await call(token, method, path, body);
  if (!answer.success) throw new Error(`${method} ${path}: ${answer.message}`);
  return answer.data as Data;
}

async function say(person: Person, content: string, more: object = {}): Promise<string> {
  const body = { model: "m", messages: [{ role: "user", content }], ...more };
  const response = await gateway.post("/v1/chat/completions", body, person.key);
  await response.text();
  return response.headers.get("x-request-id") ?? "";
}

const ownContent = (id: string) => `/api/log/self/${id}/content`;

async function contentOf(token: string, path: string): Promise<Content> {
  return await eventually(path, async () => {
    const answer = await call(token, "GET", path);
    return answer.success ? (answer.data as Content) : undefined;
  });
}

async function captures(token: string): Promise<Capture[]> {
  return (await ok<{ items: Capture[] }>(token, "GET", "/api/capture")).items;
}

test("the next request of a key is captured, redacted, once, and shown to its owner alone", async () => {
  const before = await say(ann, "unseen");
  const made = await ok<Capture>(ann.token, "POST", "/api/capture", { key: ann.keyId });
  expect(made).toMatchObject({ requests: 1, taken: 0, is_on: true, by: ann.username });
  const others = await say(bob, "of bob");
  const id = await say(ann, "My key is sk-0123456789abcdefghij");
  const after = await say(ann, "unseen as well");
  const content = await contentOf(ann.token, ownContent(id));
  expect(JSON.parse(content.request)).toEqual({
    model: "m",
    messages: [{ role: "user", content: "My key is [secret]" }],
  });
  expect(content.answer).toContain("Write to [email], please.");
  expect(content.cut).toBe(false);
  expect(content).not.toHaveProperty("upstream");
  for (const other of [before, others, after]) {
    expect(await call(ann.token, "GET", ownContent(other))).toMatchObject({ code: "not_found" });
  }
  expect(await call(bob.token, "GET", ownContent(id))).toMatchObject({ code: "not_found" });
  expect(await captures(ann.token)).toMatchObject([{ id: made.id, taken: 1, is_on: false }]);
  expect(await captures(bob.token)).toEqual([]);
  interface Traced {
    items: { trace: { captured: boolean } }[];
  }
  const traced = async (one: string) =>
    (await ok<Traced>(ann.token, "GET", `/api/log/self/${one}`)).items[0]?.trace.captured;
  expect(await traced(id)).toBe(true);
  expect(await traced(after)).toBe(false);
});

test("a stream is kept as the text that it is, and an admin sees the upstream's side", async () => {
  const made = await ok<Capture>(rootToken, "POST", "/api/capture", { key: bob.keyId });
  const response = await gateway.post(
    "/v1/messages",
    { model: "m", max_tokens: 9, stream: true, messages: [{ role: "user", content: "Hello" }] },
    bob.key,
  );
  await response.text();
  const id = response.headers.get("x-request-id") ?? "";
  const content = await contentOf(rootToken, `/api/log/${id}/content`);
  expect(content.answer).toBe("Write to [email], please.");
  expect(content.upstream).toMatchObject({
    channel: "main",
    answer: "Write to [email], please.",
  });
  expect(JSON.parse(content.upstream?.request ?? "")).toMatchObject({ model: "theirs" });
  // The request's owner sees who looks at it; and the audit log has who read it.
  expect(await captures(bob.token)).toMatchObject([{ id: made.id, by: "root" }]);
  interface Audited {
    items: { action: string; target_id: string; actor: string | null }[];
  }
  const { items } = await ok<Audited>(rootToken, "GET", "/api/audit?target_kind=capture");
  expect(items.map(({ action }) => action)).toContain("capture.read");
  expect(items.map(({ action }) => action)).toContain("capture.create");
});

test("what was captured is gone when its capture is deleted, which its owner may do", async () => {
  const [made] = await captures(bob.token);
  const path = `/api/capture/${made?.id}`;
  expect(await call(ann.token, "DELETE", path)).toMatchObject({ code: "not_found" });
  await ok(bob.token, "DELETE", path);
  expect(await captures(bob.token)).toEqual([]);
  expect(await captures(rootToken)).toHaveLength(1);
});

test("a capture is bounded, and members look at nothing but their own", async () => {
  const refused = async (token: string, body: object) =>
    await call(token, "POST", "/api/capture", body);
  expect(await refused(rootToken, {})).toMatchObject({ param: "key" });
  expect(await refused(ann.token, { requests: 21 })).toMatchObject({ param: "requests" });
  expect(await refused(ann.token, { minutes: 16 })).toMatchObject({ param: "minutes" });
  expect(await refused(ann.token, { key: bob.keyId })).toMatchObject({ code: "not_found" });
  expect(await refused(ann.token, { channel: "chn_x" })).toMatchObject({
    code: "permission_denied",
  });
  for (let count = 1; count < 5; count++) {
    await ok(ann.token, "POST", "/api/capture", { model: "m", requests: 20 });
  }
  expect(await refused(ann.token, { model: "m" })).toMatchObject({ code: "conflict" });
  // Another account's use of the model, which is not captured.
  const others = await say(bob, "of bob");
  const own = await say(ann, "of ann");
  await contentOf(ann.token, ownContent(own));
  expect(await call(rootToken, "GET", `/api/log/${others}/content`)).toMatchObject({
    code: "not_found",
  });
});

test("an admin captures what goes to a channel, and reads nothing of root", async () => {
  const { items: channels } = await ok<{ items: { id: string }[] }>(
    rootToken,
    "GET",
    "/api/channel",
  );
  const eve = await newPerson(gateway, 1_000_000);
  await ok(rootToken, "PATCH", `/api/user/${eve.id}`, { role: "admin" });
  const channel = channels[0]?.id;
  await ok(eve.token, "POST", "/api/capture", { channel, requests: 20 });
  const ofBob = await say(bob, "of bob");
  const response = await gateway.post("/v1/chat/completions", {
    model: "m",
    messages: [{ role: "user", content: "of root" }],
  });
  await response.text();
  const ofRoot = response.headers.get("x-request-id") ?? "";
  await contentOf(rootToken, `/api/log/${ofRoot}/content`);
  expect((await contentOf(eve.token, `/api/log/${ofBob}/content`)).request).toContain("of bob");
  expect(await call(eve.token, "GET", `/api/log/${ofRoot}/content`)).toMatchObject({
    code: "permission_denied",
  });
});

test("an admin's capture of a model or a channel is shown to each account that it concerns", async () => {
  const eve = await newPerson(gateway, 1_000_000);
  await ok(rootToken, "PATCH", `/api/user/${eve.id}`, { role: "admin" });
  await ok(rootToken, "POST", "/api/group", { name: "elsewhere", multiplier: 1 });
  const far = await newPerson(gateway, 1_000_000);
  await ok(rootToken, "PATCH", `/api/user/${far.id}`, { group: "elsewhere" });
  const cat = await newPerson(gateway, 1_000_000);
  const { items } = await ok<{ items: { id: string }[] }>(rootToken, "GET", "/api/channel");
  for (const wanted of [{ model: "m" }, { channel: items[0]?.id }]) {
    const body = { ...wanted, requests: 1 };
    const { id } = await ok<Capture>(eve.token, "POST", "/api/capture", body);
    const shownTo = async ({ token }: Person) =>
      (await captures(token)).find((one) => one.id === id);
    // Nothing was said yet, and both who can be captured know of it; where it goes they do not.
    const seen = { by: eve.username, is_on: true, may_end: false, taken: 0, channel: null };
    for (const person of [bob, cat]) expect(await shownTo(person)).toMatchObject(seen);
    expect(await shownTo(far)).toBeUndefined();
    const said = await say(cat, "of cat");
    await contentOf(eve.token, `/api/log/${said}/content`);
    // It has enough: whose request it has goes on seeing it, and the others are in no danger.
    expect(await shownTo(cat)).toMatchObject({ ...seen, is_on: false, taken: 1 });
    expect(await shownTo(bob)).toBeUndefined();
    const path = `/api/capture/${id}`;
    expect(await call(cat.token, "DELETE", path)).toMatchObject({ code: "not_found" });
    expect(await call(bob.token, "DELETE", path)).toMatchObject({ code: "not_found" });
    await ok(eve.token, "DELETE", path);
  }
});

test("hazard G4 an admin ends no capture of root or of another admin, and root ends all", async () => {
  const [eve, max] = [await newPerson(gateway, 0), await newPerson(gateway, 0)];
  for (const { id } of [eve, max])
    await ok(rootToken, "PATCH", `/api/user/${id}`, { role: "admin" });
  const order = async (token: string, body: object) =>
    `/api/capture/${(await ok<Capture>(token, "POST", "/api/capture", body)).id}`;
  const ofRoot = await order(rootToken, { model: "m", minutes: 1 });
  const ofMax = await order(max.token, { model: "m", minutes: 1 });
  const ofBob = await order(bob.token, { model: "m", minutes: 1 });
  const isMine = async (path: string) =>
    (await captures(eve.token)).find(({ id }) => path.endsWith(id))?.may_end;
  for (const path of [ofRoot, ofMax]) {
    expect(await isMine(path)).toBe(false);
    expect(await call(eve.token, "DELETE", path)).toMatchObject({ code: "permission_denied" });
  }
  expect(await isMine(ofBob)).toBe(true);
  await ok(eve.token, "DELETE", ofBob);
  for (const path of [ofRoot, ofMax]) await ok(rootToken, "DELETE", path);
});
