// State that a client comes back with is known after a death, and so on any node of one database: a
// sign-in that is under way, the ids of responses that a vendor keeps, and answers that are kept
// under their Idempotency-Key.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../../sandbox/server.ts";
import { Browser } from "../harness/browser.ts";
import { Folder } from "../harness/folder.ts";
import { rootKey, startProcess, type Gateway } from "../harness/gateway.ts";
import { Github } from "../harness/oauth/github.ts";
import { fetchCallback } from "../harness/oauth/visit.ts";

setDefaultTimeout(60_000);

const folder = new Folder();
const github = new Github();
const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
const config = `
sandbox: "off"
accounts: { registration: open }
oauth:
  providers:
    - ${github.config("github", "github")}
channels:
  - name: keeper
    type: openai
    format: responses
    base_url: ${sandbox.url}/openai
    keys: [sk-kept-1001, sk-kept-1002, sk-kept-1003]
    models: [kept]
    allow_private: true
prices:
  - { model: kept, call_micros: 1 }
`;
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startProcess({ config, folder: folder.path });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox.close();
  github[Symbol.dispose]();
  folder[Symbol.dispose]();
});

async function dieAndStart(): Promise<void> {
  // On the same port: a provider sends browsers back to the address that it was told.
  const environment = { PORT: new URL(gateway.url).port };
  await gateway.kill();
  gateway = await startProcess({ config, environment, folder: folder.path });
}

async function respond(fields: object): Promise<{ status: number; id: string }> {
  const response = await gateway.post("/v1/responses", { model: "kept", ...fields });
  const { id } = (await response.json()) as { id: string };
  return { status: response.status, id };
}

async function once(key: string) {
  const response = await fetch(`${gateway.url}/v1/responses`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${rootKey}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify({ model: "kept", input: "I live in a town." }),
  });
  const isReplay = response.headers.get("idempotent-replayed") === "true";
  return { status: response.status, isReplay, text: await response.text() };
}

test("T21 an answer that was seen is given again, though the gateway died at once", async () => {
  const made = await Promise.all(Array.from({ length: 24 }, (_, at) => once(`town ${at}`)));
  await dieAndStart();
  for (const [at, first] of made.entries()) {
    expect([first.status, first.isReplay]).toEqual([200, false]);
    expect(await once(`town ${at}`)).toEqual({ ...first, isReplay: true });
  }
});

test("a sign-in that was begun before a death is finished after it, once", async () => {
  github.user = { id: 4711, login: "walker", name: "Walker", email: null };
  const begun = new Browser(gateway.url);
  const callback = await fetchCallback(begun, "github");
  await dieAndStart();
  const browser = new Browser(gateway.url);
  for (const [name, value] of begun.cookies) browser.cookies.set(name, value);
  expect(await browser.call("GET", callback)).toMatchObject({ success: true });
  expect(await browser.ask("GET", "/api/user/self")).toMatchObject({ username: "walker" });
  const again = new Browser(gateway.url);
  for (const [name, value] of begun.cookies) again.cookies.set(name, value);
  expect(await again.call("GET", callback)).toMatchObject({ success: false });
});

test("a response whose end was seen is built on by its maker, though the gateway died at once", async () => {
  const made = await Promise.all(
    Array.from({ length: 24 }, (_, at) => respond({ input: `I live in town ${at}.` })),
  );
  await dieAndStart();
  for (const { id } of made) {
    expect((await respond({ input: "Go on.", previous_response_id: id })).status).toBe(200);
  }
});
