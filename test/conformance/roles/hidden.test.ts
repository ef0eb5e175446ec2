// Money in answers, for those who may not see it: every row of the route table is read by support,
// and nothing of what accounts, keys, channels and requests have or cost is in any answer.
import { beforeAll, expect, test } from "bun:test";
import { permissionKeyword } from "../../../src/admin/contract/basics.ts";
import type { ControlRoute } from "../../../src/http/route.ts";
import { builtInRoles } from "../../../src/identity/roles/permissions.ts";
import { chatBody } from "../../harness/ask.ts";
import { eventually } from "../../harness/books.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { addressOf, nameOf, routes } from "../../harness/route-table.ts";
import { completion, Vendor } from "../../harness/vendor.ts";

const vendor = kept(new Vendor((_request, reply) => reply.json(completion("Yes."))));
const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\n' }));

/** Amounts that stand nowhere by chance. */
const amounts = {
  balance: 987_654_321,
  limit: 456_123_789,
  perDay: 741_852_963,
  price: 7_654_321,
  code: 369_258_147,
};
const ids = new Map<string, string>();
const tokens = new Map<string, string>();

beforeAll(async () => {
  const ask = <Data>(method: string, path: string, body: object) =>
    gateway.control<Data>(method, path, body);
  const named = { name: "paid", spend_per_day_micros: amounts.perDay };
  const channel = await ask<{ id: string }>(
    "POST",
    "/api/channel",
    vendor.channel({ ...named, models: ["m"] }),
  );
  await ask("POST", "/api/group", { name: "dear", multiplier: 1.234_567 });
  const price = { input_micros_per_million: amounts.price, output_micros_per_million: 1 };
  await ask("POST", "/api/price", { model: "m", ...price });
  const password = "long enough password";
  const ann = { username: "ann", password, quota_micros: amounts.balance };
  const account = await ask<{ id: string }>("POST", "/api/user", ann);
  const limited = { name: "k", account: "ann", quota_micros: amounts.limit };
  const key = await ask<{ id: string; key: string }>("POST", "/api/token", limited);
  await ask("POST", "/api/budget", { name: "b", account: "ann", limit_micros: amounts.limit });
  await ask("POST", "/api/redemption", { name: "r", micros: amounts.code });
  const response = await gateway.post("/v1/chat/completions", chatBody("m"), key.key);
  expect(response.status).toBe(200);
  const request = response.headers.get("x-request-id") ?? "";
  await eventually("its row", async () => {
    const { items } = await gateway.control<{ items: object[] }>("GET", "/api/log");
    return items[0];
  });
  for (const [part, id] of [
    ["channel", channel.id],
    ["user", account.id],
    ["token", key.id],
    ["log", request],
  ] as const) {
    ids.set(part, id);
  }
  for (const role of ["support", "read-only"] as const) {
    const made = await ask<{ id: string }>("POST", "/api/user", { username: role, password, role });
    const { token } = await ask<{ token: string }>("POST", `/api/user/${made.id}/token`, {});
    tokens.set(role, token);
  }
});

function pathOf(route: ControlRoute): string {
  const [, , part = ""] = route.path.split("/");
  const id = ids.get(part);
  const isOfOne = id !== undefined && route.path.includes("{id}");
  return isOfOne ? route.path.replace("{id}", id) : addressOf(route);
}

async function read(route: ControlRoute, role: string): Promise<string> {
  const headers = { authorization: `Bearer ${tokens.get(role) ?? ""}` };
  const response = await fetch(gateway.url + pathOf(route), { headers });
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    return await response.text();
  }
  await response.body?.cancel();
  return "";
}

/** Prices of the own group are told to every account. */
const catalogue = "/api/model";

const reading = routes.flatMap((route) =>
  route.policy === "control" && route.method === "GET" && route.path !== catalogue ? [route] : [],
);
const moneyNames = /(?:^|_)(?:micros|picos|multiplier|prices?|costs?|margin)(?:_|$)/;

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

/** Answers about others: what one has oneself is one's own to see. */
function isAboutOthers({ permission, path }: ControlRoute): boolean {
  return permission !== undefined || /^\/api\/token(?:\/\{id\})?(?:\/budget)?$/.test(path);
}

test("hazard G11 no answer shows support an amount, and read-only is shown them all", async () => {
  const texts = Object.values(amounts).map(String);
  const seen = new Set<string>();
  for (const route of reading) {
    const text = await read(route, "support");
    expect([nameOf(route), texts.filter((amount) => text.includes(amount))]).toEqual([
      nameOf(route),
      [],
    ]);
    const whole = await read(route, "read-only");
    for (const amount of texts) if (whole.includes(amount)) seen.add(amount);
  }
  expect([...seen].toSorted()).toEqual(texts.toSorted());
});

test("hazard G11 no answer about others has a field of money for support", async () => {
  let shown = 0;
  for (const route of reading.filter(isAboutOthers)) {
    const text = await read(route, "support");
    if (route.path.endsWith(".csv")) {
      const [head = ""] = text.split("\n");
      expect([nameOf(route), head.split(",").filter((name) => moneyNames.test(name))]).toEqual([
        nameOf(route),
        [],
      ]);
      continue;
    }
    if (text === "") continue;
    const answer = JSON.parse(text) as { success: boolean };
    if (answer.success) shown++;
    expect([nameOf(route), namesIn(answer).filter((name) => moneyNames.test(name))]).toEqual([
      nameOf(route),
      [],
    ]);
  }
  expect(shown).toBeGreaterThan(20);
});

test("hazard G11 what is hidden is neither sorted nor filtered by", async () => {
  for (const path of [
    "/api/user?sort=-quota_micros",
    "/api/token?sort=used_micros",
    "/api/log?micros_min=5",
    "/api/log.csv?micros_min=5",
    "/api/live?micros_min=5",
    "/api/group?sort=multiplier",
  ]) {
    const refused = await gateway.controlEnvelope("GET", path, undefined, tokens.get("support"));
    expect([path, refused]).toEqual([
      path,
      expect.objectContaining({ code: "permission_denied", param: expect.any(String) }),
    ]);
  }
});

/** Every field of a schema, with what it is called and whether it says who sees it. */
function fieldsIn(schema: unknown, isHidden = false): [name: string, isHidden: boolean][] {
  if (Array.isArray(schema)) return schema.flatMap((one) => fieldsIn(one, isHidden));
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {}, ...rest } = schema as { properties?: object };
  const isHere = isHidden || Reflect.get(schema, permissionKeyword) !== undefined;
  const own = Object.entries(properties).flatMap(([name, field]): [string, boolean][] => [
    [name, isHere || JSON.stringify(field).includes(permissionKeyword)],
    ...fieldsIn(field, isHere),
  ]);
  return [...own, ...Object.values(rest).flatMap((one) => fieldsIn(one, isHere))];
}

test("hazard G11 every field of money in what support may call says that it is money", () => {
  const open = routes.filter(
    (route) =>
      route.policy === "control" &&
      route.permission !== undefined &&
      builtInRoles.support.some((permission) => permission === route.permission),
  );
  const bare = open.flatMap((route) =>
    fieldsIn(route.entry.answer)
      .filter(([name, isHidden]) => moneyNames.test(name) && !isHidden)
      .map(([name]) => `${nameOf(route)}: ${name}`),
  );
  // Whether a virtual model is sold at a price of its own, which is no amount.
  expect(bare).toEqual(["GET /api/virtual-model: price"]);
});
