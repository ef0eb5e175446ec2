// Filters take what a page links by and what a person types: each list and each file, by id and by
// name, has the same rows.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import { completion, Vendor } from "../../harness/vendor.ts";

let gateway: Gateway;
let vendor: Vendor;
const ids: Record<string, string> = {};
const names = { account: "erin", key: "erin laptop", channel: "main" } as const;

beforeAll(async () => {
  vendor = new Vendor((_request, reply) => reply.json(completion("hello")));
  gateway = await startGateway();
  const channel = await gateway.control<{ id: string }>(
    "POST",
    "/api/channel",
    vendor.channel({ name: names.channel }),
  );
  const person = { password: "correct horse battery", quota_micros: 1_000_000 };
  for (const [username, count] of [
    ["erin", 3],
    ["other", 2],
  ] as const) {
    const { id } = await gateway.control<{ id: string }>("POST", "/api/user", {
      ...person,
      username,
    });
    const made = { name: `${username} laptop`, account: username };
    const key = await gateway.control<{ id: string; key: string }>("POST", "/api/token", made);
    if (username === "erin") [ids["account"], ids["key"]] = [id, key.id];
    const body = { model: "chatA", messages: [{ role: "user", content: "hi" }] };
    for (let at = 0; at < count; at++) {
      await (await gateway.post("/v1/chat/completions", body, key.key)).text();
    }
  }
  ids["channel"] = channel.id;
  await gateway.agreed();
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

const sums = ["/api/log", "/api/log.csv", "/api/series?by=model", "/api/usage", "/api/usage.csv"];
const entries = ["/api/ledger", "/api/ledger.csv"];
const lists = {
  account: [...sums, ...entries, "/api/hold", "/api/token", "/api/task", "/api/assets"],
  key: [...sums, ...entries],
  channel: sums,
} as const;

const cases = (["account", "key", "channel"] as const).flatMap((filter) =>
  lists[filter].map((path) => [path, filter] as const),
);

async function read(path: string, filter: string, value: string): Promise<string> {
  const query = `${filter}=${encodeURIComponent(value)}`;
  const response = await fetch(`${gateway.url}${path}${path.includes("?") ? "&" : "?"}${query}`, {
    headers: { authorization: "Bearer sat-test-root-token-0123456789abcdef" },
  });
  return await response.text();
}

test.each(cases)("%s knows a %s by id and by name", async (path, filter) => {
  const byName = await read(path, filter, names[filter]);
  expect(byName).not.toContain('"success":false');
  expect(await read(path, filter, ids[filter] ?? "")).toBe(byName);
  if (filter !== "channel") expect(byName).not.toContain('"other"');
});

test("a log by account or key has that customer's rows and no others", async () => {
  for (const [filter, value] of [
    ["account", ids["account"]],
    ["account", names.account],
    ["key", ids["key"]],
    ["key", names.key],
  ] as const) {
    const { items } = await gateway.control<{ items: { account: string }[] }>(
      "GET",
      `/api/log?${filter}=${encodeURIComponent(value ?? "")}`,
    );
    expect(items.map(({ account }) => account)).toEqual(["erin", "erin", "erin"]);
  }
});

test("a name that nobody has finds nobody, and one of two keys is to be said by id", async () => {
  const unknown = await gateway.controlEnvelope("GET", "/api/log?account=nobody");
  expect(unknown).toMatchObject({ success: false, code: "not_found", param: "account" });
  const none = await gateway.control<{ total: number }>("GET", "/api/log?key=nobody");
  expect(none.total).toBe(0);
  for (const account of ["erin", "other"]) {
    await gateway.control("POST", "/api/token", { name: "phone", account });
  }
  const refused = await gateway.controlEnvelope("GET", "/api/log?key=phone");
  expect(refused).toMatchObject({ success: false, code: "invalid_request", param: "key" });
  const own = await gateway.controlEnvelope("GET", "/api/log?key=phone&account=erin");
  expect(own.success).toBe(true);
});
