// E: nobody reaches through the gateway what they could not reach themselves.
import { expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { Deadlines } from "../../src/core/deadline.ts";
import {
  OutboundFailed,
  type Chunk,
  type OutboundReply,
  type OutboundRequest,
} from "../../src/core/outbound.ts";
import { FetchFailed, GuardedFetch, piecesOf, type FetchAsk } from "../../src/media/fetch.ts";
import { startGateway } from "../harness/gateway.ts";

const publicAddress = "93.184.216.34";
const ask: FetchAsk = { allowPrivate: false, bytesMax: 1000, timeoutMs: 60_000 };

interface Scene {
  /** Addresses that the name leads to, at each look-up the next. */
  addresses?: string[][];
  answer?(request: OutboundRequest, count: number): OutboundReply | Promise<OutboundReply>;
  allowedPorts?: number[];
}

function reply(status: number, headers: Record<string, string> = {}, text = ""): OutboundReply {
  const chunks: Chunk[] = text === "" ? [] : [{ value: new TextEncoder().encode(text) }];
  return {
    status,
    headers: new Headers(headers),
    mediaType: "",
    bytes: async () => new TextEncoder().encode(text),
    read: async () => chunks.shift() ?? {},
    take: () => undefined,
    cancel() {},
  };
}

function openScene({ addresses = [[publicAddress]], answer, allowedPorts = [] }: Scene = {}) {
  const sent: OutboundRequest[] = [];
  const resolved: string[] = [];
  const deadlines = new Deadlines(systemClock, systemTimers);
  const fetch = new GuardedFetch({
    deadlines,
    allowedPorts,
    privateHosts: [],
    resolve: async (name) => addresses[Math.min(resolved.push(name), addresses.length) - 1] ?? [],
    send: async (request) => {
      sent.push(request);
      return (await answer?.(request, sent.length)) ?? reply(200, {}, "fine");
    },
  });
  return { fetch, sent, resolved, [Symbol.dispose]: () => deadlines.close() };
}

const generic = "The address could not be fetched.";

async function refusal(opening: Promise<unknown>): Promise<string> {
  try {
    await opening;
  } catch (error) {
    if (error instanceof FetchFailed) return error.message;
    throw error;
  }
  return "it was fetched";
}

const forbidden = [
  "http://127.0.0.1/",
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f.0.0.1/",
  "http://017700000001/",
  "http://0.0.0.0/",
  "http://localhost/",
  "http://localhost./",
  "http://a.localhost/",
  "http://[::1]/",
  "http://[::]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[2002:7f00:1::]/",
  "http://[fc00::1]/",
  "http://[fe80::1]/",
  "http://[fd00:ec2::254]/",
  "http://10.0.0.1/",
  "http://172.16.0.1/",
  "http://192.168.0.1/",
  "http://100.64.0.1/",
  "http://198.18.0.1/",
  "http://224.0.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://100.100.100.200/",
  "http://192.0.0.192/",
  "http://metadata.google.internal/",
  "http://user@127.0.0.1/",
  "http://media.example@127.0.0.1/",
  "http://127。0。0。1/",
  "http://①②⑦.0.0.1/",
  "http://media.example:22/",
  "http://media.example:6379/",
  "https://media.example:8443/",
  "file:///etc/hostname",
  "ftp://media.example/a",
  "data:image/png;base64,AAAA",
  "blob:http://media.example/a",
  "s3://bucket/key",
  "unix:/var/run/docker.sock",
  "//media.example/a",
  "media.example/a",
  "",
];

test("hazard E1 E2 E3 E6 no packet is sent to a forbidden address, and none is looked up", async () => {
  using scene = openScene();
  for (const url of forbidden) {
    expect([url, await refusal(scene.fetch.open(url, ask))]).toEqual([url, generic]);
    const posting = scene.fetch.post(url, { headers: {}, body: "", timeoutMs: 1000 });
    expect([url, await refusal(posting)]).toEqual([url, generic]);
    expect([url, scene.fetch.accepts(url)]).toEqual([url, null]);
  }
  expect([scene.sent, scene.resolved]).toEqual([[], []]);
});

test("hazard E1 an asset's source is checked the same way", async () => {
  await using gateway = await startGateway();
  for (const url of forbidden) {
    const reply = await gateway.post("/api/asset/createMedia", { url, assetType: "image" });
    expect([url, reply.status]).toEqual([url, 400]);
  }
});

test("hazard E4 a name is looked up once and the checked address is what is connected to", async () => {
  using scene = openScene({ addresses: [[publicAddress], ["127.0.0.1"]] });
  const fetched = await scene.fetch.open("https://user:pass@media.example/a?b=c#d", ask);
  expect(await Array.fromAsync(piecesOf(fetched))).toEqual([new TextEncoder().encode("fine")]);
  fetched.close();
  expect(scene.resolved).toEqual(["media.example"]);
  const [request] = scene.sent;
  expect(request?.url).toBe(`https://${publicAddress}/a?b=c`);
  expect(request?.serverName).toBe("media.example");
  expect(request?.headers).toMatchObject({ host: "media.example" });
  expect(JSON.stringify(request)).not.toContain("pass");
});

test("hazard E4 one private address among many is enough to refuse a name", async () => {
  for (const hidden of ["127.0.0.1", "10.1.2.3", "::1", "fd00::1", "::ffff:10.0.0.1"]) {
    using scene = openScene({ addresses: [[publicAddress, hidden]] });
    expect(await refusal(scene.fetch.open("http://media.example/", ask))).toBe(generic);
    expect(scene.sent).toEqual([]);
  }
  using none = openScene({ addresses: [[]] });
  expect(await refusal(none.fetch.open("http://media.example/", ask))).toBe(generic);
});

test("hazard E4 the next address is tried when the first does not answer", async () => {
  using scene = openScene({
    addresses: [[publicAddress, "93.184.216.35"]],
    answer(_, count) {
      if (count === 1) throw new OutboundFailed("ECONNREFUSED", true);
      return reply(200);
    },
  });
  (await scene.fetch.open("http://media.example/", ask)).close();
  expect(scene.sent.map(({ url }) => new URL(url).hostname)).toEqual([
    publicAddress,
    "93.184.216.35",
  ]);
});

test("hazard E4 no other address is tried when the first may have heard it", async () => {
  for (const reason of ["ConnectionClosed", "ECONNRESET", "ECONNREFUSED", "AbortError"]) {
    using scene = openScene({
      addresses: [[publicAddress, "93.184.216.35"]],
      answer() {
        throw new OutboundFailed(reason);
      },
    });
    const posting = { headers: {}, body: "{}", timeoutMs: 1000 };
    expect(await refusal(scene.fetch.post("http://media.example/hook", posting))).toBe(generic);
    expect(scene.sent).toHaveLength(1);
  }
});

test("hazard E5 each hop is checked anew, and there are few", async () => {
  for (const location of [
    "http://127.0.0.1/",
    "file:///etc/hostname",
    "//localhost/",
    "http://[::1]/",
  ]) {
    using scene = openScene({ answer: () => reply(307, { location }) });
    expect(await refusal(scene.fetch.open("http://media.example/", ask))).toBe(generic);
    expect(scene.sent).toHaveLength(1);
  }
  using rebound = openScene({
    addresses: [[publicAddress], ["192.168.1.1"]],
    answer: () => reply(302, { location: "/again" }),
  });
  expect(await refusal(rebound.fetch.open("http://media.example/", ask))).toBe(generic);
  expect([rebound.sent.length, rebound.resolved.length]).toEqual([1, 2]);
  using endless = openScene({ answer: () => reply(301, { location: "/next" }) });
  expect(await refusal(endless.fetch.open("http://media.example/", ask))).toBe(generic);
  expect(endless.sent).toHaveLength(4);
});

test("hazard E5 a vendor's headers go to its own origin alone, and a callback follows nowhere", async () => {
  using scene = openScene({
    answer: (_, count) =>
      count === 3
        ? reply(200)
        : reply(302, { location: count === 1 ? "/b" : "https://elsewhere.example/" }),
  });
  const headers = { authorization: "Bearer vendor-key" };
  (await scene.fetch.open("https://media.example/a", { ...ask, headers })).close();
  expect(scene.sent.map((request) => request.headers["authorization"])).toEqual([
    "Bearer vendor-key",
    "Bearer vendor-key",
    undefined,
  ]);
  using hook = openScene({ answer: () => reply(307, { location: "https://elsewhere.example/" }) });
  const posting = { headers: {}, body: "{}", timeoutMs: 1000 };
  expect(await hook.fetch.post("https://media.example/hook", posting)).toBe(307);
  expect(hook.sent).toHaveLength(1);
});

test("hazard E9 a body that is too large, declared or not, is refused", async () => {
  const large = "x".repeat(1001);
  using declared = openScene({ answer: () => reply(200, { "content-length": "1001" }, large) });
  expect(await refusal(declared.fetch.open("http://media.example/", ask))).toBe(generic);
  using silent = openScene({ answer: () => reply(200, {}, large) });
  const fetched = await silent.fetch.open("http://media.example/", ask);
  expect(await refusal(fetched.read())).toBe(generic);
});

test("hazard E9 what never ends is ended", async () => {
  const never = new Promise<never>(() => {});
  using slow = openScene({ answer: () => ({ ...reply(200), read: () => never }) });
  const fetched = await slow.fetch.open("http://media.example/", { ...ask, timeoutMs: 1 });
  expect(await refusal(fetched.read())).toBe(generic);
});

test("hazard E10 the one message says nothing of the reason", async () => {
  const answers: Scene[] = [
    { addresses: [["127.0.0.1"]] },
    { answer: () => reply(401) },
    { answer: () => reply(500) },
    {
      answer() {
        throw new OutboundFailed("ECONNRESET");
      },
    },
  ];
  for (const answer of answers) {
    using scene = openScene(answer);
    expect(await refusal(scene.fetch.open("http://media.example/", ask))).toBe(generic);
  }
});

test("hazard E12 a private channel's vendor is reached on any port, but never a metadata host", async () => {
  using scene = openScene();
  const trusted = { ...ask, allowPrivate: true };
  (await scene.fetch.open("http://127.0.0.1:4000/a", trusted)).close();
  expect(scene.sent[0]).toMatchObject({ url: "http://127.0.0.1:4000/a" });
  for (const host of ["169.254.169.254", "[fe80::1]", "[fd00:ec2::254]", "100.100.100.200"]) {
    expect(await refusal(scene.fetch.open(`http://${host}/`, trusted))).toBe(generic);
  }
  expect(scene.sent).toHaveLength(1);
});

test("hazard E3 a port that is configured may be named", async () => {
  using scene = openScene({ allowedPorts: [8443] });
  (await scene.fetch.open("https://media.example:8443/a", ask)).close();
  expect(scene.sent[0]).toMatchObject({
    url: `https://${publicAddress}:8443/a`,
    headers: { host: "media.example:8443" },
  });
});
