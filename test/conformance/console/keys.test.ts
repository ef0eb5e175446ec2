// Keys of pages, keys that are rotated, and what a key's row tells of its use.
import { beforeAll, expect, test } from "bun:test";
import { as, newPerson } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { Browser, password } from "../../harness/browser.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import { completion, Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

interface Key {
  id: string;
  key: string;
  name: string;
  shown: string;
  last_used_at: number | null;
  previous_until: number | null;
  rates_now: { requests: number; tokens: number; in_flight: number } | null;
}

interface Listed<Item> {
  items: Item[];
  total: number;
}

const vendor = kept(new Vendor((_request, reply) => reply.json(completion("hello"))));

const config = 'sandbox: "off"\naccounts: { keys_max: 2 }\n';

const gateway = useStand(() => startGateway({ config }));

beforeAll(async () => {
  await addVendor(gateway);
});

async function addVendor(to: Gateway): Promise<void> {
  await to.control("POST", "/api/channel", vendor.channel({ models: ["m"] }));
  const price = { model: "m", input_micros_per_million: 1_000_000 };
  await to.control("POST", "/api/price", { ...price, output_micros_per_million: 2_000_000 });
}

async function statusWith(key: string, at: Gateway = gateway): Promise<number> {
  const response = await at.post("/v1/chat/completions", chatBody("m"), key);
  await response.text();
  return response.status;
}

async function signedIn(username: string): Promise<Browser> {
  await gateway.control("POST", "/api/user", { username, password, quota_micros: 1_000_000 });
  return await new Browser(gateway.url).signIn(username);
}

test("a page's key pays from the account, is called console in the log, and is in no list", async () => {
  const browser = await signedIn("pat");
  const made = await browser.ask<{ key: string; expires_at: number }>("POST", "/api/token/session");
  const lifeSeconds = made.expires_at - Date.now() / 1000;
  expect(lifeSeconds).toBeGreaterThan(3500);
  expect(lifeSeconds).toBeLessThanOrEqual(3600);
  expect(await statusWith(made.key)).toBe(200);
  const log = await browser.ask<Listed<{ key_name: string; micros: number }>>(
    "GET",
    "/api/log/self",
  );
  expect(log.items).toMatchObject([{ key_name: "console", micros: 50 }]);
  expect(await browser.ask("GET", "/api/token")).toMatchObject({ total: 0, items: [] });
  // It takes none of the places that keys of one's own have.
  for (const name of ["one", "two"]) await browser.ask("POST", "/api/token", { name });
  expect(await browser.call("POST", "/api/token", { name: "three" })).toMatchObject({
    code: "conflict",
  });
});

test("a page's key ends with the session that it is of, and only someone signed in may have one", async () => {
  const browser = await signedIn("quinn");
  const { key } = await browser.ask<{ key: string }>("POST", "/api/token/session");
  const other = await new Browser(gateway.url).signIn("quinn");
  const second = await other.ask<{ key: string }>("POST", "/api/token/session");
  expect([await statusWith(key), await statusWith(second.key)]).toEqual([200, 200]);
  await browser.ask("POST", "/api/user/logout");
  expect([await statusWith(key), await statusWith(second.key)]).toEqual([401, 200]);
  const { token } = await other.ask<{ token: string }>("POST", "/api/access-token");
  const byToken = await gateway.controlEnvelope("POST", "/api/token/session", undefined, token);
  expect(byToken).toMatchObject({ success: false, code: "permission_denied" });
});

test("of more pages than eight the key of the oldest ends", async () => {
  const browser = await signedIn("ray");
  const keys: string[] = [];
  for (let count = 0; count < 9; count++) {
    keys.push((await browser.ask<{ key: string }>("POST", "/api/token/session")).key);
  }
  expect(await statusWith(keys[0] ?? "")).toBe(401);
  expect(await statusWith(keys[1] ?? "")).toBe(200);
});

test("a rotated key has another text, and the one before works on for as long as was said", async () => {
  const person = await newPerson(gateway, 1_000_000);
  expect(await statusWith(person.key)).toBe(200);
  const path = `/api/token/${person.keyId}`;
  const rotated = await gateway.control<Key>("POST", `${path}/rotate`, { overlap_seconds: 3600 });
  expect(rotated).toMatchObject({ id: person.keyId, previous_until: expect.any(Number) });
  expect([await statusWith(person.key), await statusWith(rotated.key)]).toEqual([200, 200]);
  // Changes of the key hold for both texts at once.
  await gateway.control("PATCH", path, { status: "disabled" });
  expect([await statusWith(person.key), await statusWith(rotated.key)]).toEqual([401, 401]);
  await gateway.control("PATCH", path, { status: "enabled" });
  expect([await statusWith(person.key), await statusWith(rotated.key)]).toEqual([200, 200]);
  const again = await gateway.control<Key>("POST", `${path}/rotate`);
  expect(again.previous_until).toBeNull();
  const statuses = [person.key, rotated.key, again.key].map((key) => statusWith(key));
  expect(await Promise.all(statuses)).toEqual([401, 401, 200]);
  const audit = await gateway.control<Listed<object>>("GET", "/api/audit?action=key.rotate");
  expect(JSON.stringify(audit)).not.toContain(again.key);
  expect(audit.items).toHaveLength(2);
});

test("an overlap that is over ends the text before, and a stranger rotates nothing", async () => {
  const [person, other] = [await newPerson(gateway, 1_000_000), await newPerson(gateway, 0)];
  const path = `/api/token/${person.keyId}/rotate`;
  const body = { overlap_seconds: 1 };
  const byOther = await gateway.controlEnvelope("POST", path, body, other.token);
  expect(byOther).toMatchObject({ success: false, code: "not_found" });
  const { previous_until: until } = await gateway.control<Key>("POST", path, body);
  expect(until).toBeGreaterThan(0);
  while (await isTaken(person.key)) {
    expect(Date.now() / 1000).toBeLessThan((until ?? 0) + 10);
  }
  for (const wrong of [{ overlap_seconds: -1 }, { overlap_seconds: 1e9 }, { overlap: 1 }]) {
    expect(await gateway.controlEnvelope("POST", path, wrong)).toMatchObject({
      code: "invalid_request",
    });
  }
});

async function isTaken(key: string): Promise<boolean> {
  return (await gateway.get("/v1/models", key)).status === 200;
}

test("a key's row tells when it was last used and what is taken of its limits now", async () => {
  const limits = { requests_per_minute: 60, tokens_per_minute: 6000 };
  await using counting = await startGateway({ config, oneProcess: "places" });
  await addVendor(counting);
  const person = await newPerson(counting, 1_000_000, limits);
  const path = `/api/token/${person.keyId}`;
  const before = await as<Key>(counting, person.token, path);
  expect(before).toMatchObject({ last_used_at: null, rates_now: null, previous_until: null });
  expect(await statusWith(person.key, counting)).toBe(200);
  const after = await as<Key>(counting, person.token, path);
  expect(after.last_used_at).toBeGreaterThan(Date.now() / 1000 - 60);
  expect(after.rates_now).toMatchObject({ in_flight: 0 });
  expect(after.rates_now?.tokens).toBeGreaterThan(0);
  expect(after.rates_now?.tokens).toBeLessThanOrEqual(30);
});

test("when a key was last used outlives the process", async () => {
  await using first = await startGateway({ config: 'sandbox: "on"\n' });
  const made = await first.customer(1_000_000);
  await (await first.post("/v1/chat/completions", chatBody("chatA"), made.key)).text();
  expect(await first.stop()).toBe(0);
  await using second = await startGateway({ config: 'sandbox: "on"\n', folder: first.folder });
  const row = await second.control<Key>("GET", `/api/token/${made.keyId}`);
  expect(row.last_used_at).toBeGreaterThan(Date.now() / 1000 - 120);
});
