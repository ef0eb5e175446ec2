import { expect, test } from "bun:test";
import { systemClock, systemTimers } from "../core/clock.ts";
import { Deadlines } from "../core/deadline.ts";
import type { OutboundRequest } from "../core/outbound.ts";
import { send } from "../core/wire/send.ts";
import { FetchFailed, GuardedFetch, type ExchangeAsk } from "./fetch.ts";

const ask: ExchangeAsk = {
  method: "POST",
  headers: { "content-type": "text/plain" },
  body: "question",
  allowPrivate: false,
  allowedPorts: [],
  bytesMax: 1000,
  timeoutMs: 5000,
};

async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof FetchFailed) return error.reason;
    throw error;
  }
  throw new Error("it did not fail");
}

/** Against a server on this machine. */
async function against<Result>(
  reply: (request: Request) => Response | Promise<Response>,
  work: (fetch: GuardedFetch, url: string) => Promise<Result>,
): Promise<Result> {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: reply });
  const deadlines = new Deadlines(systemClock, systemTimers);
  const rules = { allowedPorts: [], privateHosts: [], resolve: async () => ["127.0.0.1"] };
  try {
    const guarded = new GuardedFetch({ ...rules, send, deadlines });
    return await work(guarded, `http://127.0.0.1:${server.port}/`);
  } finally {
    deadlines.close();
    await server.stop(true);
  }
}

test("an exchange brings back status, headers and body, whatever the status", async () => {
  const echo = async (request: Request) =>
    new Response(`${request.method} ${await request.text()}`, { status: 418, headers: { x: "y" } });
  const { status, headers, body } = await against(echo, (guarded, url) =>
    guarded.exchange(url, { ...ask, allowPrivate: true }),
  );
  expect([status, headers.get("x"), new TextDecoder().decode(body)]).toEqual([
    418,
    "y",
    "POST question",
  ]);
});

test("an exchange follows nowhere and has an end in size and time", async () => {
  const paths: string[] = [];
  const reply = (request: Request) => {
    const { pathname } = new URL(request.url);
    paths.push(pathname);
    if (pathname === "/large") return new Response("x".repeat(1001));
    if (pathname === "/slow") return new Promise<Response>(() => {});
    return new Response(null, { status: 302, headers: { location: "/elsewhere" } });
  };
  await against(reply, async (guarded, url) => {
    const open = { ...ask, allowPrivate: true };
    expect((await guarded.exchange(url, open)).status).toBe(302);
    expect(await failureOf(guarded.exchange(`${url}large`, open))).toContain("1000 bytes");
    await failureOf(guarded.exchange(`${url}slow`, { ...open, timeoutMs: 1000 }));
  });
  expect(paths).toEqual(["/", "/large", "/slow"]);
});

test("hazard F9 an exchange keeps to public addresses and to the ports it was given", async () => {
  const sent: OutboundRequest[] = [];
  const deadlines = new Deadlines(systemClock, systemTimers);
  const guarded = new GuardedFetch({
    allowedPorts: [9000],
    privateHosts: [],
    deadlines,
    resolve: async (name) => [name === "inside.example" ? "10.0.0.5" : "93.184.215.14"],
    send: async (request) => {
      sent.push(request);
      throw new Error("no network here");
    },
  });
  const refused = [
    "http://127.0.0.1/",
    "https://inside.example/",
    "https://id.example:9000/",
    "https://id.example:22/",
    "file:///etc/passwd",
  ];
  for (const url of refused) {
    const failure = await failureOf(guarded.exchange(url, { ...ask, allowedPorts: [8443] }));
    expect([url, failure]).toEqual([url, "the address is not allowed"]);
  }
  expect(sent).toEqual([]);
  await failureOf(guarded.exchange("https://id.example:8443/", { ...ask, allowedPorts: [8443] }));
  expect(sent).toMatchObject([
    { url: "https://93.184.215.14:8443/", serverName: "id.example", method: "POST" },
  ]);
  deadlines.close();
});
