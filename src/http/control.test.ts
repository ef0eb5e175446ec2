import { expect, test } from "bun:test";
import { openPlane } from "../admin/fixtures/control-plane.ts";
import { controlNeeds, oauthNeeds } from "../app/control-needs.ts";
import type { Control } from "../app/control.ts";
import type { RequestId } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import type { Operator } from "../identity/caller.ts";
import { openOAuth, type OAuth } from "../identity/oauth/index.ts";
import { controlRoutes } from "./control.ts";
import { ledgerRoutes } from "./records/ledger.ts";
import { RouteTable } from "./route.ts";
import { oauthRoutes } from "./session/oauth.ts";
import { sessionRoutes } from "./session/routes.ts";
import { secondFactorRoutes } from "./session/second-factor.ts";

function noProviders(control: Control): OAuth {
  return openOAuth({
    settings: [],
    landing: "/",
    states: control,
    callerOf: () => () => Promise.reject(new Error("there is no provider")),
    baseUrl: () => "http://127.0.0.1:3000",
  });
}
const vitals = () => ({
  memory: { used_bytes: 5, most_bytes: 9 },
  streams: { open: 1, most: 2, read_on: 0 },
  requests_open: 0,
  loop_lag_ms: 0.5,
  disk: { free_bytes: 3, size_bytes: 4 },
  recordsDropped: 7,
  verified: { atMs: 2000, isGood: true },
  backedUpAtMs: null,
});
const facts = {
  version: "1.2.3",
  obstacles: () => ["memory is short"],
  distribution: { attemptsMax: 4 },
  acceptsUrl: (url: string) => url,
  vitals,
  shared: { link: null, liveNodes: () => 1 },
  bounds: { outputTokensMaxDefault: 100, imageTokensMax: 100 },
};

interface Ask {
  control: Control;
  operator: Operator;
  call: string;
  body?: JsonObject;
}

/** Serves a request as the server would once it knows who asks. */
async function ask({ control, operator, call, body }: Ask) {
  const [method = "", address = ""] = call.split(" ");
  const [path = "", query = ""] = address.split("?");
  const match = new RouteTable(controlRoutes(controlNeeds(control, facts))).match(method, path);
  if (match === null || match === "path" || match.route.policy !== "control") {
    throw new Error(`no route for ${call}`);
  }
  const answer = await match.route.serve(
    {
      scope: {
        requestId: "req_1" as RequestId,
        signal: new AbortController().signal,
        startedAtMs: 0,
        hops: 0,
      },
      params: match.params,
      query: new URLSearchParams(query),
      headers: new Headers(body ? { "content-length": "1" } : {}),
      address: null,
      ip: "127.0.0.1",
      json: async () => ({ value: body ?? {}, bytes: 0 }),
      jsonOrForm: async () => ({ value: body ?? {}, bytes: 0 }),
      pieces: () => new Blob().stream(),
    },
    operator,
  );
  return { ...answer, json: JSON.parse(String(answer.body)) };
}

test("N10 hazard F20 an answer has its envelope and is not to be stored", async () => {
  await using plane = await openPlane();
  const { control, root: operator } = plane;
  const answer = await ask({ control, operator, call: "GET /api/user/self" });
  expect(answer.status).toBe(200);
  expect(answer.headers).toEqual({ "cache-control": "no-store" });
  expect(answer.json).toMatchObject({ success: true, message: "", data: { username: "root" } });
});

test("ids, names, queries and bodies reach their verbs", async () => {
  await using plane = await openPlane();
  const { control, root: operator } = plane;
  const call = async (text: string, body?: JsonObject) =>
    (await ask({ control, operator, call: text, ...(body && { body }) })).json.data;
  await call("POST /api/group", { name: "two words" });
  await call("POST /api/group", { name: "vip" });
  expect(await call("DELETE /api/group?name=two+words")).toEqual({ name: "two words" });
  expect(await call("DELETE /api/group/vip")).toEqual({ name: "vip" });
  const { id } = await call("POST /api/token", { name: "k" });
  expect(await call(`PATCH /api/token/${id}`, { name: "renamed" })).toMatchObject({ id });
  expect((await call("GET /api/token?page_size=1")).items).toHaveLength(1);
  expect(await call(`DELETE /api/token/${id}`)).toEqual({ id });
  const made = await call(`POST /api/user/${operator.accountId}/token`);
  expect((await control.authenticator.operator(made.token)).username).toBe("root");
});

test("the status says what stands in the way of paid work", async () => {
  await using plane = await openPlane();
  const { control, root: operator } = plane;
  const { json } = await ask({ control, operator, call: "GET /api/status" });
  expect(json.data).toEqual({
    version: "1.2.3",
    uptime_seconds: 0,
    channels: { enabled: 0, ejected: 0, sandbox: 0 },
    journal: { queue: 0, oldest_ms: 0 },
    accepts_paid_work: false,
    obstacles: ["memory is short"],
    limits: { by: "node", nodes: 1 },
    process: {
      memory: { used_bytes: 5, most_bytes: 9 },
      streams: { open: 1, most: 2, read_on: 0 },
      requests_open: 0,
      loop_lag_ms: 0.5,
      disk: { free_bytes: 3, size_bytes: 4 },
      log: { rows: 0, dropped: 7 },
      last_verify: { at: 2, ok: true },
      last_backup_at: null,
    },
  });
  const member = await plane.person("member");
  const own = await ask({ control, operator: member, call: "GET /api/status" });
  expect(own.json.data).not.toHaveProperty("process");
});

const openToUsers = [
  "DELETE /api/access-token/{id}",
  "DELETE /api/budget/{id}",
  "DELETE /api/organisation/{organisation}/member/{id}",
  "DELETE /api/organisation/{organisation}/project/{id}",
  "DELETE /api/session/{id}",
  "DELETE /api/token/{id}",
  "DELETE /api/user/self/identities/{id}",
  "DELETE /api/user/{id}/token",
  "GET /api/access-token",
  "GET /api/announcement",
  "GET /api/budget",
  "GET /api/budget/self",
  "GET /api/budget/{id}",
  "GET /api/budget/{id}/window",
  "GET /api/group/self",
  "GET /api/ledger/self",
  "GET /api/live/self",
  "GET /api/log/self",
  "GET /api/log/self.csv",
  "GET /api/log/self/{id}",
  "GET /api/model",
  "GET /api/model-note",
  "GET /api/organisation",
  "GET /api/organisation/{organisation}",
  "GET /api/organisation/{organisation}/member",
  "GET /api/organisation/{organisation}/project",
  "GET /api/series/self",
  "GET /api/session",
  "GET /api/statement/self",
  "GET /api/status",
  "GET /api/token",
  "GET /api/token/{id}",
  "GET /api/token/{id}/budget",
  "GET /api/usage/self",
  "GET /api/usage/self.csv",
  "GET /api/user/self",
  "GET /api/user/self/balance",
  "GET /api/user/self/export",
  "GET /api/user/self/identities",
  "GET /api/user/self/second-factor",
  "GET /api/webhook-secret",
  "GET /api/webhook/self",
  "PATCH /api/budget/{id}",
  "PATCH /api/organisation/{organisation}",
  "PATCH /api/organisation/{organisation}/member/{id}",
  "PATCH /api/organisation/{organisation}/project/{id}",
  "PATCH /api/token/{id}",
  "PATCH /api/user/self",
  "POST /api/access-token",
  "POST /api/budget",
  "POST /api/budget/{id}/correct",
  "POST /api/budget/{id}/raise",
  "POST /api/budget/{id}/renew",
  "POST /api/organisation",
  "POST /api/organisation/join",
  "POST /api/organisation/join/offer",
  "POST /api/organisation/{organisation}/leave",
  "POST /api/organisation/{organisation}/project",
  "POST /api/redemption/redeem",
  "POST /api/token",
  "POST /api/token/{id}/rotate",
  "POST /api/user/logout",
  "POST /api/user/password",
  "POST /api/user/self/second-factor/challenge",
  "POST /api/user/self/second-factor/passkey",
  "POST /api/user/self/second-factor/passkey/options",
  "POST /api/user/self/second-factor/passkey/{id}/remove",
  "POST /api/user/self/second-factor/recovery",
  "POST /api/user/self/second-factor/totp",
  "POST /api/user/self/second-factor/totp/confirm",
  "POST /api/user/self/second-factor/totp/remove",
  "POST /api/user/{id}/token",
  "POST /api/webhook-secret",
];

test("U3 hazard G5 only these routes are open to ordinary users", async () => {
  await using plane = await openPlane();
  const rules = { publicUrl: null, trustProxy: false };
  const routes = [
    ...controlRoutes(controlNeeds(plane.control, facts)),
    ...ledgerRoutes({ records: plane.control, books: plane.control.books }),
    ...sessionRoutes(plane.control, rules),
    ...secondFactorRoutes(plane.control, rules),
    ...oauthRoutes(oauthNeeds(plane.control, noProviders(plane.control)), rules),
  ];
  expect(routes.every(({ envelope }) => envelope === "session")).toBe(true);
  const open = routes.filter(
    (route) => route.policy === "control" && route.permission === undefined,
  );
  expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(openToUsers);
});

test("only these routes are open to visitors", async () => {
  await using plane = await openPlane();
  const rules = { publicUrl: null, trustProxy: false };
  const routes = [
    ...sessionRoutes(plane.control, rules),
    ...secondFactorRoutes(plane.control, rules),
    ...oauthRoutes(oauthNeeds(plane.control, noProviders(plane.control)), rules),
  ];
  const unsigned = routes.filter(({ policy }) => policy === "visitor");
  expect(unsigned.map(({ path }) => path)).toEqual([
    "/api/user/register",
    "/api/user/login",
    "/api/user/login/link",
    "/api/user/login/second",
    "/api/user/reset/finish",
    "/api/user/login/mail/finish",
    "/api/user/login/passkey",
  ]);
});
