// Findings of a newcomer, answered otherwise than documented: addresses, methods, filters, names.
import { beforeAll, describe, expect, test } from "bun:test";
import { Compile } from "typebox/compile";
import { errorSchemas } from "../../../src/http/reference/errors.ts";
import type { Route } from "../../../src/http/route.ts";
import { Browser, password } from "../../harness/browser.ts";
import { newPerson, refusedField } from "../../harness/accounts/usage.ts";
import { chatBody, errorOf } from "../../harness/ask.ts";
import { rootKey, rootToken, startGateway } from "../../harness/gateway.ts";
import { addressOf, nameOf, routes } from "../../harness/route-table.ts";
import { completion, Vendor, type VendorScript } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const made = { id: "resp_kept", object: "response", status: "completed", model: "kept" };
const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

const spoken = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "hello", annotations: [] }],
};
const answer: VendorScript = ({ path }, reply) => {
  if (path === "/v1/responses") return reply.json({ ...made, output: [spoken], usage });
  return reply.json(completion("hello"));
};

const vendor = kept(new Vendor(answer));

const gateway = useStand(() => startGateway({ config: "accounts: { registration: open }\n" }));

beforeAll(async () => {
  await gateway.control("POST", "/api/channel", vendor.channel({ models: ["m"] }));
  const keeper = { name: "keeper", models: ["kept"], format: "responses" };
  await gateway.control("POST", "/api/channel", vendor.channel(keeper));
  for (const model of ["m", "kept"]) {
    await gateway.control("POST", "/api/price", { model, call_micros: 1 });
  }
});

const checkers = Object.fromEntries(
  Object.entries(errorSchemas).map(([name, schema]) => [name, Compile(schema)]),
);

describe("an address", () => {
  const withId = routes.filter(({ path }) => path.includes("{"));

  test("with a percent sign in its id is refused in the envelope of its own route", async () => {
    // Keys' own addresses take an escaped id: test/conformance/video/escaped-ids.test.ts.
    const unescapable = withId.filter(({ policy }) => policy !== "key");
    expect(unescapable.length).toBeGreaterThan(40);
    for (const { method, path, envelope } of unescapable) {
      const address = path.replace(/\{\w+\}/g, "a%25b");
      const response = await fetch(gateway.url + address, { method });
      const body: unknown = await response.json();
      const name = `${method} ${path}`;
      expect([name, response.status, checkers[envelope]?.Check(body)]).toEqual([name, 400, true]);
      expect([name, JSON.stringify(body)]).toEqual([name, expect.stringContaining("invalid_path")]);
    }
  });

  test("that does not take a method says which it takes", async () => {
    const methodsOf = (one: Route) =>
      routes.filter((other) => addressOf(other) === addressOf(one)).map(({ method }) => method);
    for (const route of routes) {
      const methods = methodsOf(route);
      for (const method of ["PUT", "OPTIONS"]) {
        const response = await fetch(gateway.url + addressOf(route), { method });
        await response.text();
        // Routes that pages of other sites may call answer a preflight.
        if (method === "OPTIONS" && response.status === 204) continue;
        const allowed = response.headers.get("allow")?.split(", ") ?? [];
        expect([nameOf(route), method, allowed]).toEqual([
          nameOf(route),
          method,
          expect.arrayContaining(methods),
        ]);
        expect(allowed.includes("HEAD")).toBe(allowed.includes("GET"));
      }
    }
  });
});

describe("what a vendor refuses of a response that it keeps", () => {
  test.each([
    ["POST", "/cancel", 400, "Only background responses can be cancelled."],
    ["GET", "/input_items?limit=0", 400, "Invalid 'limit': integer below minimum value."],
    ["GET", "", 410, "This response has been removed."],
  ] as const)("is passed on: %s %p as a %d", async (method, part, status, message) => {
    vendor.script = answer;
    const created = await gateway.post("/v1/responses", { model: "kept", input: "hi" });
    expect(created.status).toBe(200);
    const error = { message, type: "invalid_request_error", param: "limit", code: "odd" };
    vendor.script = (_request, reply) => reply.json({ error }, status);
    const response = await fetch(`${gateway.url}/v1/responses/resp_kept${part}`, {
      method,
      headers: { authorization: `Bearer ${rootKey}` },
    });
    expect(response.status).toBe(status);
    expect(await errorOf(response)).toMatchObject({ message, type: "invalid_request_error" });
  });

  test.each([401, 403, 500])("is no word to clients where it is a %d", async (status) => {
    vendor.script = answer;
    await gateway.post("/v1/responses", { model: "kept", input: "hi" });
    const error = { message: "Incorrect API key provided: org-secret.", type: "x", code: null };
    vendor.script = (_request, reply) => reply.json({ error }, status);
    const response = await gateway.get("/v1/responses/resp_kept");
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("org-secret");
    vendor.script = answer;
  });
});

describe("a name", () => {
  test("is taken in any capitals, whoever makes the account", async () => {
    for (const username of ["Root", "ROOT", "root"]) {
      const body = { username, password };
      const refused = await gateway.controlEnvelope("POST", "/api/user", body);
      expect(refused).toMatchObject({ success: false, code: "conflict", param: "username" });
    }
  });

  test("signs in in any capitals, and guesses at it are one name's", async () => {
    await gateway.control("POST", "/api/user", { username: "Ann.Smith", password });
    const browser = await new Browser(gateway.url).signIn("ann.smith");
    expect(await browser.ask("GET", "/api/user/self")).toMatchObject({ username: "Ann.Smith" });
    const key = { name: "by any name", account: "ANN.SMITH" };
    expect(await gateway.control("POST", "/api/token", key)).toMatchObject({
      account: "Ann.Smith",
    });
    const guesses = [
      "ann.smith",
      "Ann.smith",
      "aNn.smith",
      "anN.smith",
      "ANN.smith",
      "ANN.Smith",
      "ann.Smith",
    ];
    const said: unknown[] = [];
    // Each node has its share of the free tries, rounded up.
    for (const username of gateway.nodeUrls.flatMap(() => guesses)) {
      const body = { username, password: "a wrong password" };
      said.push((await new Browser(gateway.url).call("POST", "/api/user/login", body)).code);
    }
    expect(said.slice(guesses.length - 1)).toContain("rate_limit_exceeded");
  });
});

test("the cursor of one's own log tells nothing of what others wrote meanwhile", async () => {
  const [one, other] = [await newPerson(gateway, 1000), await newPerson(gateway, 1000)];
  const next = async (strangers: number) => {
    for (let at = 0; at < 2; at++) {
      expect((await gateway.post("/v1/chat/completions", chatBody("m"), one.key)).status).toBe(200);
      for (let written = 0; written < strangers; written++) {
        await (await gateway.post("/v1/chat/completions", chatBody("m"), other.key)).text();
      }
    }
    const path = "/api/log/self?page_size=1";
    const page = await gateway.controlEnvelope("GET", path, undefined, one.token);
    return page.data as { next: string; items: { time: number; request_id: string }[] };
  };
  for (const strangers of [0, 3]) {
    const { next: cursor, items } = await next(strangers);
    const [row] = items;
    expect(cursor).toBe(`${Math.round((row?.time ?? 0) * 1000)}-${row?.request_id}`);
    const path = `/api/log/self?page_size=100&cursor=${cursor}`;
    const rest = await gateway.controlEnvelope("GET", path, undefined, one.token);
    const { items: older } = rest.data as { items: unknown[] };
    expect(older.length).toBe(strangers === 0 ? 1 : 3);
  }
});

test("registering is on record, by whom and from where", async () => {
  const username = `self-made-${crypto.randomUUID().slice(0, 8)}`;
  const browser = new Browser(gateway.url);
  const self = await browser.ask<{ id: string }>("POST", "/api/user/register", {
    username,
    password,
  });
  const path = `/api/audit?action=user.register&target_id=${self.id}`;
  const { items } = await gateway.control<{ items: object[] }>("GET", path);
  expect(items).toMatchObject([
    { actor: username, actor_id: self.id, carrier: "visitor", changes: { username } },
  ]);
  expect((items[0] as { ip: string }).ip).not.toBe("");
});

describe("what is asked for", () => {
  const lists = routes.filter(
    ({ policy, method, entry }) => policy === "control" && method === "GET" && entry.query?.["p"],
  );

  test("is refused by name where an address does not know it, on all of the control plane", async () => {
    const control = routes.filter(({ policy }) => policy === "control");
    const open = control.filter((route) => "carriers" in route && route.carriers.length === 2);
    const own = await gateway.control<{ id: string }>("POST", "/api/organisation", { name: "own" });
    for (const route of open) {
      const address = addressOf(route, own.id);
      const response = await fetch(`${gateway.url}${address}?acount=ann`, {
        method: route.method,
        headers: { authorization: `Bearer ${rootToken}`, "content-type": "application/json" },
        ...(route.method !== "GET" && route.method !== "DELETE" && { body: "{}" }),
      });
      const body = (await response.json()) as { param?: string };
      expect([nameOf(route), body.param]).toEqual([nameOf(route), "acount"]);
    }
    const videos = await gateway.get("/v1/videos?lmit=5");
    expect(videos.status).toBe(400);
    expect(await errorOf(videos)).toMatchObject({ param: "lmit" });
  });

  test("is refused where a page is longer than the reference says", async () => {
    expect(lists.length).toBeGreaterThan(20);
    for (const { path, entry } of lists) {
      const schema: unknown = entry.query?.["page_size"]?.schema;
      const { maximum } = (schema ?? {}) as { maximum?: number };
      const address = path.replace(/\{\w+\}/, "acc_00000000000000000000000000");
      const over = `${address}?page_size=${(maximum ?? 0) + 1}`;
      expect([over, await refusedField(gateway, rootToken, over)]).toEqual([over, "page_size"]);
      const most = await gateway.controlEnvelope("GET", `${address}?page_size=${maximum}`);
      expect([address, (most as { param?: string }).param === "page_size"]).toEqual([
        address,
        false,
      ]);
    }
  });

  test.each([
    ["/api/token", { name: "past" }],
    ["/api/access-token", {}],
    ["/api/invitation", {}],
    ["/api/redemption", { name: "past", micros: 1 }],
  ])("is refused where it has expired before it is there: %s", async (path, fields) => {
    const nowSeconds = Math.floor(Date.now() / 1000);
    for (const expires_at of [1_600_000_000, nowSeconds, "2020-01-01T00:00:00Z"]) {
      const refused = await gateway.controlEnvelope("POST", path, { ...fields, expires_at });
      expect(refused).toMatchObject({ success: false, param: "expires_at" });
    }
    const body = { ...fields, expires_at: nowSeconds + 3600 };
    expect(await gateway.controlEnvelope("POST", path, body)).toMatchObject({ success: true });
  });

  test("is refused of a key that is changed, too", async () => {
    const { keyId } = await gateway.customer(1);
    const body = { expires_at: 1_600_000_000 };
    const refused = await gateway.controlEnvelope("PATCH", `/api/token/${keyId}`, body);
    expect(refused).toMatchObject({ success: false, param: "expires_at" });
  });
});
