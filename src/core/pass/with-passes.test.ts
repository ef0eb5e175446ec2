import { describe, expect, test } from "bun:test";
import { Abort } from "../abort.ts";
import { Deadlines } from "../deadline.ts";
import { OutboundFailed, type OutboundReply, type OutboundRequest } from "../outbound.ts";
import { grantSecrets, type HeldGrants, type Pass } from "./pass.ts";
import { withPasses, type PublicPlace } from "./with-passes.ts";

const startSeconds = 1_800_000_000;
const tokenUrl = "https://token.example/t";
const url = "https://vendor.example/v1";

const hourPass: Pass = {
  name: "hour",
  async obtain({ send, nowSeconds }) {
    const { text } = await send({ method: "POST", url: tokenUrl, body: "grant" });
    return {
      sign: () => ({ authorization: `Bearer ${text}` }),
      expiresAtSeconds: nowSeconds + 3600,
      secrets: [text],
    };
  },
};

/** A vendor whose tokens are numbered, and who refuses those that it is told to. */
class Stage {
  nowSeconds = startSeconds;
  exchanges = 0;
  readonly sent: OutboundRequest[] = [];
  readonly refused = new Set<string>();
  readonly held: HeldGrants = new Map();
  /** Resolves what the token endpoint is asked; at once unless a test holds it. */
  gate: Promise<void> = Promise.resolve();
  isDown = false;
  /** Place that a public host is found at. */
  found: PublicPlace | null = null;
  readonly send = withPasses((request) => this.#answer(request), {
    clock: { nowMs: () => this.nowSeconds * 1000, monotonicMs: () => this.nowSeconds * 1000 },
    deadlines: new Deadlines(
      { nowMs: () => 0, monotonicMs: () => 0 },
      { after: () => () => {}, every: () => () => {} },
    ),
    variable: () => undefined,
    readFile: async () => "",
    locatePublic: async () => this.found,
  });

  async ask(signal = new Abort(), pass = hourPass): Promise<string> {
    const request = { url, method: "POST", headers: { "x-own": "1" }, body: "{}" } as const;
    const reply = await this.send({ ...request, pass: { pass, held: this.held }, signal });
    const { authorization = "" } = this.sent.at(-1)?.headers ?? {};
    return `${reply.status} ${authorization}`;
  }

  async #answer(request: OutboundRequest): Promise<OutboundReply> {
    if (request.url === tokenUrl) {
      const number = ++this.exchanges;
      await this.gate;
      if (this.isDown) throw new OutboundFailed("ECONNREFUSED");
      return reply(200, `token-${number}`);
    }
    this.sent.push(request);
    const { authorization = "" } = request.headers;
    return reply(this.refused.has(authorization.replace("Bearer ", "")) ? 401 : 200, "{}");
  }
}

function reply(status: number, text: string): OutboundReply {
  const bytes = new TextEncoder().encode(text);
  return {
    status,
    headers: new Headers(),
    mediaType: "application/json",
    bytes: async () => bytes,
    read: async () => ({}),
    take: () => ({}),
    cancel() {},
  };
}

test("what needs no pass goes out as it is", async () => {
  const stage = new Stage();
  const request = { url, method: "GET", headers: {}, signal: new Abort() } as const;
  await stage.send(request);
  expect(stage.sent[0]).toBe(request);
  expect(stage.exchanges).toBe(0);
});

test("a key is exchanged once for all who come within its life", async () => {
  const stage = new Stage();
  expect(await Promise.all([stage.ask(), stage.ask(), stage.ask()])).toEqual([
    "200 Bearer token-1",
    "200 Bearer token-1",
    "200 Bearer token-1",
  ]);
  stage.nowSeconds += 3200;
  expect(await stage.ask()).toBe("200 Bearer token-1");
  expect(stage.exchanges).toBe(1);
  expect(stage.sent[0]).toMatchObject({ headers: { "x-own": "1" }, body: "{}" });
  expect("pass" in (stage.sent[0] ?? {})).toBe(false);
});

test("five minutes ahead of its end it is got anew, and nobody waits for that", async () => {
  const stage = new Stage();
  await stage.ask();
  stage.nowSeconds += 3301;
  const held = Promise.withResolvers<void>();
  stage.gate = held.promise;
  expect(await stage.ask()).toBe("200 Bearer token-1");
  expect(await stage.ask()).toBe("200 Bearer token-1");
  expect(stage.exchanges).toBe(2);
  held.resolve();
  await Bun.sleep(0);
  expect(await stage.ask()).toBe("200 Bearer token-2");
});

test("while its end is not there, an exchange that fails harms nobody", async () => {
  const stage = new Stage();
  await stage.ask();
  stage.nowSeconds += 3301;
  stage.isDown = true;
  expect(await stage.ask()).toBe("200 Bearer token-1");
  await Bun.sleep(0);
  expect(await stage.ask()).toBe("200 Bearer token-1");
  expect(stage.exchanges).toBe(2);
  stage.nowSeconds += 31;
  expect(await stage.ask()).toBe("200 Bearer token-1");
  expect(stage.exchanges).toBe(3);
  stage.nowSeconds += 300;
  const failure = stage.ask();
  expect(failure).rejects.toMatchObject({ message: "pass: ECONNREFUSED", isUnsent: true });
  await failure.catch(() => {});
});

describe("a token that is refused", () => {
  test("is exchanged once more, and the request sent again", async () => {
    const stage = new Stage();
    await stage.ask();
    stage.refused.add("token-1");
    const all = await Promise.all([stage.ask(), stage.ask()]);
    expect(all).toEqual(["200 Bearer token-2", "200 Bearer token-2"]);
    expect(stage.exchanges).toBe(2);
  });

  test("a second time is the key's refusal, and no more are asked for in that minute", async () => {
    const stage = new Stage();
    for (const token of ["token-1", "token-2", "token-3"]) stage.refused.add(token);
    expect(await stage.ask()).toBe("401 Bearer token-2");
    expect(await stage.ask()).toBe("401 Bearer token-2");
    expect(stage.exchanges).toBe(2);
    stage.nowSeconds += 61;
    expect(await stage.ask()).toBe("401 Bearer token-3");
  });

  test("is let be where it cannot be exchanged", async () => {
    const stage = new Stage();
    const sign = () => ({ authorization: "Bearer fixed" });
    const obtain = async () => ({ sign, expiresAtSeconds: null, secrets: ["fixed"] });
    stage.refused.add("fixed");
    expect(await stage.ask(new Abort(), { name: "fixed", obtain })).toBe("401 Bearer fixed");
    expect(stage.sent).toHaveLength(1);
  });
});

test("a call to a public address alone goes to the one that was looked up, or nowhere", async () => {
  const stage = new Stage();
  const source: Pass = {
    name: "source",
    async obtain({ send: call }) {
      await call({ method: "GET", url: "https://source.example/t", isPublic: true });
      return { sign: () => ({}), expiresAtSeconds: null, secrets: [] };
    },
  };
  const refused = stage.ask(new Abort(), source);
  expect(refused).rejects.toMatchObject({ message: "pass: the address is not public" });
  await refused.catch(() => {});
  expect(stage.sent).toEqual([]);
  const found = { url: "https://192.0.2.1/t", headers: { host: "source.example" } };
  stage.found = { ...found, serverName: "source.example" };
  await stage.ask(new Abort(), source);
  expect(stage.sent[0]).toMatchObject(stage.found);
});

test("who leaves waits no longer, and the others get what was asked for", async () => {
  const stage = new Stage();
  const held = Promise.withResolvers<void>();
  stage.gate = held.promise;
  const abort = new Abort();
  const leaving = stage.ask(abort);
  const staying = stage.ask();
  abort.abort();
  await leaving.then(
    () => expect.unreachable(),
    (error: unknown) => expect(error).toBeInstanceOf(OutboundFailed),
  );
  held.resolve();
  expect(await staying).toBe("200 Bearer token-1");
  expect(stage.exchanges).toBe(1);
});

test("what was granted is among the secrets of its key", async () => {
  const stage = new Stage();
  await stage.ask();
  expect(grantSecrets(stage.held)).toEqual(["token-1"]);
});

test("so is what was granted before, as long as an answer may tell of it", async () => {
  const stage = new Stage();
  await stage.ask();
  stage.nowSeconds += 3301;
  await stage.ask();
  await Bun.sleep(0);
  expect(grantSecrets(stage.held)).toEqual(["token-2", "token-1"]);
  stage.nowSeconds += 60;
  stage.refused.add("token-2");
  await stage.ask();
  expect(grantSecrets(stage.held)).toEqual(["token-3", "token-2"]);
});
