// The gateway as it is now: the log as it happens, and the requests that run.
import { beforeAll, expect, test } from "bun:test";
import { as, newPerson, rowsOf, type Person } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { balanceOf, eventually } from "../../harness/books.ts";
import { Browser } from "../../harness/browser.ts";
import { rootToken, startGateway, type Envelope } from "../../harness/gateway.ts";
import { completion, delta, Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

/** Says nothing to who waits for a whole answer, and one word to who has it streamed. */
const silent = kept(
  new Vendor((request, reply) => {
    if (request.body["stream"] !== true) return;
    reply.stream();
    reply.event(delta({ role: "assistant", content: "Once" }));
  }),
);
const prompt = kept(new Vendor((_request, reply) => reply.json(completion("Yes."))));
let one: Person;
let other: Person;

const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\nlog: { level: error }\n' }));

beforeAll(async () => {
  for (const [vendor, model] of [
    [silent, "silent"],
    [prompt, "m"],
  ] as const) {
    await gateway.control("POST", "/api/channel", vendor.channel({ name: model, models: [model] }));
    const price = { model, input_micros_per_million: 1_000_000 };
    await gateway.control("POST", "/api/price", { ...price, output_micros_per_million: 3_000_000 });
  }
  [one, other] = [await newPerson(gateway, 1_000_000), await newPerson(gateway, 1_000_000)];
});

async function ask(person: Person, model = "m"): Promise<string> {
  const response = await gateway.post("/v1/chat/completions", chatBody(model), person.key);
  await response.text();
  return response.headers.get("x-request-id") ?? "";
}

interface LiveEvent {
  id: string;
  row: { request_id: string; key_id: string; model: string; account?: string; channel?: string };
}

/** Follows the log from where it is now on. */
class Follower implements AsyncDisposable {
  readonly #reader: {
    read(): Promise<{ value?: Uint8Array | undefined; done: boolean }>;
    cancel(): Promise<void>;
  };
  #text = "";

  private constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  static async open(path: string, token: string, headers: Record<string, string> = {}) {
    const response = await fetch(gateway.url + path, {
      headers: token === "" ? headers : { authorization: `Bearer ${token}`, ...headers },
    });
    expect(response.headers.get("content-type")).toStartWith("text/event-stream");
    if (!response.body) throw new Error("there is no stream");
    const follower = new Follower(response.body);
    await follower.#next((text) => text.includes(": live\n\n") || undefined);
    return follower;
  }

  async row(): Promise<LiveEvent> {
    return await this.#next(() => {
      const [block, id, data] = /id: (\S+)\ndata: (.+)\n\n/.exec(this.#text) ?? [];
      if (block === undefined || id === undefined || data === undefined) return undefined;
      this.#text = this.#text.slice(this.#text.indexOf(block) + block.length);
      return { id, row: JSON.parse(data) };
    });
  }

  /** Text that comes until the gateway ends the stream. */
  async rest(): Promise<string> {
    for (;;) {
      const { value, done } = await this.#reader.read();
      if (done) return this.#text;
      this.#text += new TextDecoder().decode(value);
    }
  }

  async #next<Value>(look: (text: string) => Value | undefined): Promise<Value> {
    for (;;) {
      const value = look(this.#text);
      if (value !== undefined) return value;
      const { value: bytes, done } = await this.#reader.read();
      if (done) throw new Error(`the stream ended after ${this.#text}`);
      this.#text += new TextDecoder().decode(bytes);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.cancel();
  }
}

test("rows come as requests end, just those of the filter, and a member's own without channels", async () => {
  await using everyone = await Follower.open("/api/live?format=chat", rootToken);
  await using own = await Follower.open("/api/live/self", one.token);
  const [first, second] = [await ask(other), await ask(one)];
  const rows = [(await everyone.row()).row, (await everyone.row()).row];
  // The other node's answer comes within a second, so it may be the later one.
  rows.sort((row) => (row.request_id === first ? -1 : 1));
  expect(rows).toMatchObject([
    { request_id: first, account: other.username, channel: "m" },
    { request_id: second, account: one.username },
  ]);
  const { row } = await own.row();
  expect([row.request_id, row.channel, row.account]).toEqual([second, undefined, undefined]);
  const path = "/api/live?outcome=ok&model=silent";
  await using quiet = await Follower.open(path, rootToken, { "last-event-id": "1-x" });
  await ask(one);
  expect((await everyone.row()).row.key_id).toBe(one.keyId);
  await quiet[Symbol.asyncDispose]();
});

test("who comes back with the last id gets what ended meanwhile", async () => {
  let id: string;
  {
    await using follower = await Follower.open("/api/live/self", other.token);
    await ask(other);
    ({ id } = await follower.row());
  }
  const missed = await ask(other);
  await using follower = await Follower.open("/api/live/self", other.token, {
    "last-event-id": id,
  });
  expect((await follower.row()).row.request_id).toBe(missed);
  const next = await ask(other);
  expect((await follower.row()).row.request_id).toBe(next);
});

test("a person follows four times at once, and again when one has ended", async () => {
  const followers: Follower[] = [];
  for (let turn = 0; turn < 4 * gateway.nodeUrls.length; turn++) {
    followers.push(await Follower.open("/api/live/self", one.token));
  }
  const refused = await gateway.controlEnvelope("GET", "/api/live/self", undefined, one.token);
  expect(refused).toMatchObject({ success: false, code: "rate_limit_exceeded" });
  await followers.pop()?.[Symbol.asyncDispose]();
  followers.push(
    await eventually("a free place", async () => {
      return await Follower.open("/api/live/self", one.token).catch(() => undefined);
    }),
  );
  for (const follower of followers) await follower[Symbol.asyncDispose]();
});

const self = "/api/live/self";

/** Ways to open a stream, and to take away what opened it. */
const ends: Record<string, (person: Person) => Promise<[Follower, () => Promise<unknown>]>> = {
  async "its token is revoked"({ token }) {
    const follower = await Follower.open(self, token);
    const { items } = await as<{ items: { id: string }[] }>(gateway, token, "/api/access-token");
    const path = `/api/access-token/${items[0]?.id}`;
    return [follower, () => gateway.controlEnvelope("DELETE", path, undefined, token)];
  },
  async "its account is disabled"({ id, token }) {
    const disabled = { status: "disabled" };
    const path = `/api/user/${id}`;
    return [await Follower.open(self, token), () => gateway.control("PATCH", path, disabled)];
  },
  async "its role is taken away"({ id, token }) {
    const path = `/api/user/${id}`;
    await gateway.control("PATCH", path, { role: "admin" });
    const follower = await Follower.open("/api/live", token);
    return [follower, () => gateway.control("PATCH", path, { role: "user" })];
  },
  async "its session is ended"({ username }) {
    const browser = await new Browser(gateway.url).signIn(username);
    const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const follower = await Follower.open(self, "", { cookie });
    return [follower, () => browser.ask("POST", "/api/user/logout")];
  },
};

for (const [cause, open] of Object.entries(ends)) {
  test(`a stream of the log ends when ${cause}`, async () => {
    const person = await newPerson(gateway, 1_000_000);
    const [follower, end] = await open(person);
    await using _ = follower;
    const before = await ask(person);
    expect((await follower.row()).row.request_id).toBe(before);
    const rest = follower.rest();
    await end();
    expect(await rest).not.toContain("event: error");
    // Others go on as before.
    await using watching = await Follower.open(self, one.token);
    const next = await ask(one);
    expect((await watching.row()).row.request_id).toBe(next);
  });
}

interface Inflight {
  items: { request_id: string; model: string; account: string; can_end: boolean; age_ms: number }[];
}

async function running(): Promise<Inflight["items"][number]> {
  return await eventually("a request that runs", async () => {
    const { items } = await as<Inflight>(gateway, rootToken, "/api/inflight");
    return items.find(({ can_end }) => can_end);
  });
}

/** End it at the node that serves it: others know of none. */
async function end(id: string): Promise<Envelope> {
  return await eventually("the end of the request", async () => {
    const envelope = await gateway.controlEnvelope("DELETE", `/api/inflight/${id}`);
    return envelope.success ? envelope : undefined;
  });
}

test("a request that runs is seen, and ended as if its client had left", async () => {
  const before = await balanceOf(gateway, one.id);
  const seen = silent.requests.length;
  const asked = gateway.post("/v1/chat/completions", chatBody("silent"), one.key);
  await eventually("the vendor's request", async () => silent.requests[seen]);
  const call = await running();
  expect(call).toMatchObject({ model: "silent", account: one.username });
  const path = `/api/inflight/${call.request_id}`;
  const denied = await gateway.controlEnvelope("DELETE", path, undefined, one.token);
  expect(denied).toMatchObject({ success: false, code: "permission_denied" });
  expect(await end(call.request_id)).toMatchObject({ data: { id: call.request_id } });
  const response = await asked;
  expect(response.status).toBe(499);
  expect(await response.text()).toContain("client_closed_request");
  await silent.requests[seen]?.closed;
  const [row] = await rowsOf(gateway, `request_id=${call.request_id}`, 1);
  expect(row).toMatchObject({ outcome: "client_abort", micros: 0 });
  expect(await balanceOf(gateway, one.id)).toEqual(before);
  const { items } = await as<{ items: object[] }>(
    gateway,
    rootToken,
    `/api/audit?action=request.end&target_id=${call.request_id}`,
  );
  expect(items).toMatchObject([{ actor: "root", changes: { model: "silent", account: one.id } }]);
  const gone = await gateway.controlEnvelope("DELETE", path);
  expect(gone).toMatchObject({ success: false, code: "not_found" });
});

test("a stream that is ended is charged for what it had brought", async () => {
  const body = { ...chatBody("silent"), stream: true };
  const response = await gateway.post("/v1/chat/completions", body, one.key);
  const reader = response.body?.getReader();
  await reader?.read();
  const { request_id: id } = await running();
  await end(id);
  for (;;) if ((await reader?.read())?.done !== false) break;
  const [row] = await rowsOf(gateway, `request_id=${id}`, 1);
  expect(row).toMatchObject({ outcome: "client_abort", estimated: true });
  expect(row?.micros).toBeGreaterThan(0);
  expect((await as<Inflight>(gateway, rootToken, "/api/inflight")).items).toEqual([]);
});
