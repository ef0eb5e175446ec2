// Permissions in the control API: strangers nothing, users their own, admins users, root all.
import { beforeAll, describe, expect, test } from "bun:test";
import { expire } from "../harness/accounts/expiry.ts";
import { chatBody } from "../harness/ask.ts";
import { eventually } from "../harness/books.ts";
import { rootKey, rootToken, startGateway } from "../harness/gateway.ts";
import { completion, Vendor } from "../harness/vendor.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";

const vendor = kept(new Vendor((_request, reply) => reply.json(completion("Yes."))));

interface Person {
  id: string;
  username: string;
  token: string;
}

async function newPerson(role: string): Promise<Person> {
  const username = `${role}-${crypto.randomUUID().slice(0, 8)}`;
  const { id } = await gateway.control<{ id: string }>("POST", "/api/user", {
    username,
    password: "long enough password",
    role,
    quota_micros: 1000,
  });
  const path = `/api/user/${id}/token`;
  const { token } = await gateway.control<{ token: string }>("POST", path, { name: "test" });
  return { id, username, token };
}

/** A call in someone's name that must succeed. */
async function as<Data>(
  { token }: Pick<Person, "token">,
  method: string,
  path: string,
  body?: object,
): Promise<Data> {
  const envelope = await gateway.controlEnvelope(method, path, body, token);
  if (!envelope.success) throw new Error(`${method} ${path}: ${envelope.message}`);
  return envelope.data as Data;
}

/** A call in someone's name that must fail; returns the code it fails with. */
async function deniedTo(
  { token }: Pick<Person, "token">,
  method: string,
  path: string,
  body?: object,
): Promise<string> {
  const envelope = await gateway.controlEnvelope(method, path, body, token);
  expect(envelope).toMatchObject({ success: false });
  expect(envelope.data).toBeUndefined();
  return (envelope as { code?: string }).code ?? "";
}

interface Listed {
  items: Record<string, unknown>[];
  total: number;
}

let alice: Person;
let bob: Person;
let admin: Person;

const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\nunpriced: free\n' }));

beforeAll(async () => {
  await gateway.control("POST", "/api/channel", vendor.channel({ models: ["m"] }));
  alice = await newPerson("user");
  bob = await newPerson("user");
  admin = await newPerson("admin");
});

const everyRoute: readonly [method: string, path: string][] = [
  ["GET", "/api/channel"],
  ["POST", "/api/channel"],
  ["GET", "/api/token"],
  ["POST", "/api/token"],
  ["GET", "/api/group"],
  ["POST", "/api/group"],
  ["GET", "/api/price"],
  ["POST", "/api/price"],
  ["GET", "/api/user"],
  ["POST", "/api/user"],
  ["GET", "/api/user/self"],
  ["GET", "/api/log"],
  ["GET", "/api/log/self"],
  ["GET", "/api/status"],
];

describe("strangers", () => {
  test("A5 without a token every route answers 200 with success false and nothing else", async () => {
    for (const [method, path] of everyRoute) {
      for (const headers of [{}, { authorization: "Bearer sat-unknown-token-000000000000" }]) {
        const response = await fetch(gateway.url + path, {
          method,
          headers: { ...headers, "content-type": "application/json" },
          ...(method === "POST" && { body: "{}" }),
        });
        expect(response.status).toBe(200);
        const body = (await response.json()) as Record<string, unknown>;
        expect(body["success"]).toBe(false);
        expect(String(body["message"])).toContain("token is invalid");
        expect(body["data"]).toBeUndefined();
      }
    }
  });

  test("N10 an API key is no access token, and an access token is no API key", async () => {
    expect(await deniedTo({ token: rootKey }, "GET", "/api/user/self")).toBe("invalid_api_key");
    const response = await gateway.post("/v1/chat/completions", chatBody("m"), rootToken);
    expect(response.status).toBe(401);
  });

  test("N10 a token stops working when it expires, is revoked, or its account is disabled", async () => {
    const person = await newPerson("user");
    const path = `/api/user/${person.id}/token`;
    const past = { name: "past", expires_at: 4_000_000_000 };
    const expired = await gateway.control<{ id: string; token: string }>("POST", path, past);
    await expire(gateway, "access_token", expired.id);
    expect(await deniedTo(expired, "GET", "/api/user/self")).toBe("invalid_api_key");
    await as(person, "GET", "/api/user/self");
    await gateway.control("PATCH", `/api/user/${person.id}`, { status: "disabled" });
    expect(await deniedTo(person, "GET", "/api/user/self")).toBe("invalid_api_key");
    await gateway.control("PATCH", `/api/user/${person.id}`, { status: "enabled" });
    await as(person, "GET", "/api/user/self");
    await as(person, "DELETE", path);
    expect(await deniedTo(person, "GET", "/api/user/self")).toBe("invalid_api_key");
  });
});

describe("users", () => {
  test("N10 a user sees itself and may make, list, change and revoke its own keys", async () => {
    const self = await as<object>(alice, "GET", "/api/user/self");
    expect(self).toMatchObject({ id: alice.id, username: alice.username, quota_micros: 1000 });
    const made = await as<{ id: string; key: string }>(alice, "POST", "/api/token", { name: "a" });
    const listed = await as<Listed>(alice, "GET", "/api/token");
    expect(listed.items).toHaveLength(1);
    expect(listed.items[0]).toMatchObject({ id: made.id, account: alice.username });
    await as(alice, "PATCH", `/api/token/${made.id}`, { quota_micros: 5 });
    await as(alice, "DELETE", `/api/token/${made.id}`);
    expect((await as<Listed>(alice, "GET", "/api/token")).total).toBe(0);
  });

  test("A9 another account's key does not exist for a user", async () => {
    const made = await as<{ id: string; key: string }>(bob, "POST", "/api/token", { name: "b" });
    const unknown = "/api/token/key_00000000000000000000000000";
    const path = `/api/token/${made.id}`;
    for (const [method, body] of [["GET"], ["PATCH", { name: "x" }], ["DELETE"]] as const) {
      const theirs = await gateway.controlEnvelope(method, path, body, alice.token);
      const none = await gateway.controlEnvelope(method, unknown, body, alice.token);
      expect(theirs).toEqual(none);
      expect(theirs).toMatchObject({ success: false, code: "not_found" });
    }
    const named = { name: "for bob", account: bob.username };
    expect(await deniedTo(alice, "POST", "/api/token", named)).toBe("permission_denied");
    const ghost = { name: "for nobody", account: "no-such-account" };
    expect(await deniedTo(alice, "POST", "/api/token", ghost)).toBe("permission_denied");
    await deniedTo(alice, "GET", `/api/token?account=${bob.username}`);
    expect((await as<Listed>(bob, "GET", "/api/token")).total).toBe(1);
    expect((await gateway.post("/v1/chat/completions", chatBody("m"), made.key)).status).toBe(200);
  });

  test("N20 a user's log has its own requests, without channels", async () => {
    const mine = await as<{ key: string }>(alice, "POST", "/api/token", { name: "mine" });
    const theirs = await as<{ key: string }>(bob, "POST", "/api/token", { name: "theirs" });
    const ids: (string | null)[] = [];
    for (const { key } of [mine, theirs]) {
      const response = await gateway.post("/v1/chat/completions", chatBody("m"), key);
      expect(response.status).toBe(200);
      ids.push(response.headers.get("x-request-id"));
    }
    const [own, other] = ids;
    await eventually("both rows", async () => {
      const found = await gateway.control<Listed>("GET", `/api/log?request_id=${other}`);
      return found.items[0];
    });
    const listed = await as<Listed>(alice, "GET", "/api/log/self");
    expect(listed.items.map((row) => row["request_id"])).toEqual([own]);
    const text = JSON.stringify(listed);
    for (const hidden of ["channel", "attempts", vendor.url]) expect(text).not.toContain(hidden);
    const wanted = `/api/log/self?request_id=${other}`;
    expect((await as<Listed>(alice, "GET", wanted)).total).toBe(0);
    const named = `/api/log/self?account=${bob.username}`;
    expect(await deniedTo(alice, "GET", named)).toBe("invalid_request");
  });

  test("U3 what belongs to the operator is refused to a user", async () => {
    const denied: [string, string, object?][] = [
      ["GET", "/api/channel"],
      ["POST", "/api/channel", vendor.channel({ name: "mine" })],
      ["GET", "/api/group"],
      ["POST", "/api/group", { name: "mine" }],
      ["GET", "/api/price"],
      ["POST", "/api/price", { model: "m", call_micros: 0 }],
      ["GET", "/api/user"],
      ["POST", "/api/user", { username: "x", password: "long enough password" }],
      ["GET", `/api/user/${alice.id}`],
      ["PATCH", `/api/user/${alice.id}`, { role: "root" }],
      ["POST", `/api/user/${alice.id}/credit`, { micros: 5, reason: "mine" }],
      ["GET", "/api/log"],
    ];
    for (const [method, path, body] of denied) {
      expect(await deniedTo(alice, method, path, body)).toBe("permission_denied");
    }
    expect(await as<object>(alice, "GET", "/api/user/self")).toMatchObject({ role: "user" });
  });

  test("hazard G3 a user cannot put its key into another group or act as another", async () => {
    await gateway.control("POST", "/api/group", { name: "cheap", multiplier: 0 });
    const moved = { name: "k", group: "cheap" };
    expect(await deniedTo(alice, "POST", "/api/token", moved)).toBe("permission_denied");
    const { id } = await as<{ id: string }>(alice, "POST", "/api/token", { name: "k" });
    const path = `/api/token/${id}`;
    expect(await deniedTo(alice, "PATCH", path, { group: "cheap" })).toBe("permission_denied");
    expect(await deniedTo(alice, "POST", `/api/user/${bob.id}/token`, {})).toBe("not_found");
    expect(await deniedTo(alice, "DELETE", `/api/user/${bob.id}/token`)).toBe("not_found");
    await as(bob, "GET", "/api/user/self");
  });
});

describe("admins", () => {
  test("hazard G4 an admin runs ordinary accounts but neither root nor its own rank", async () => {
    const { id: rootId } = await gateway.control<{ id: string }>("GET", "/api/user/self");
    const second = await newPerson("admin");
    await as(admin, "POST", `/api/user/${bob.id}/credit`, { micros: 5, reason: "gift" });
    await as(admin, "PATCH", `/api/user/${bob.id}`, { concurrency: 50 });
    for (const id of [rootId, second.id, admin.id]) {
      expect(await deniedTo(admin, "PATCH", `/api/user/${id}`, { status: "disabled" })).toBe(
        "permission_denied",
      );
      const credit = { micros: 5, reason: "gift" };
      expect(await deniedTo(admin, "POST", `/api/user/${id}/credit`, credit)).toBe(
        "permission_denied",
      );
    }
    expect(await deniedTo(admin, "PATCH", `/api/user/${bob.id}`, { role: "admin" })).toBe(
      "permission_denied",
    );
    const body = { username: "new-admin", password: "long enough password", role: "admin" };
    expect(await deniedTo(admin, "POST", "/api/user", body)).toBe("permission_denied");
    expect(await deniedTo(admin, "POST", `/api/user/${rootId}/token`, {})).toBe(
      "permission_denied",
    );
    expect(await deniedTo(admin, "POST", `/api/user/${bob.id}/token`, {})).toBe(
      "permission_denied",
    );
  });

  test("hazard G4 an admin cannot make or change keys of root", async () => {
    const forRoot = { name: "sneaky", account: "root" };
    expect(await deniedTo(admin, "POST", "/api/token", forRoot)).toBe("permission_denied");
    const { items } = await as<Listed>(admin, "GET", "/api/token?account=root");
    const path = `/api/token/${String(items[0]?.["id"])}`;
    expect(await deniedTo(admin, "PATCH", path, { status: "disabled" })).toBe("permission_denied");
    expect(await deniedTo(admin, "DELETE", path)).toBe("permission_denied");
    expect((await gateway.post("/v1/chat/completions", chatBody("m"))).status).toBe(200);
  });
});
