// Budgets of members, projects and labels, who may set them, and who is told what.
import { beforeAll, describe, expect, test } from "bun:test";
import { newCompany, type Company } from "../../harness/accounts/organisation.ts";
import { newPerson } from "../../harness/accounts/usage.ts";
import { chatBody, errorOf } from "../../harness/ask.ts";
import type { Browser } from "../../harness/browser.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers } from "../../harness/wires.ts";

const priceMicros = 1000;
const vendor = kept(new Vendor(answers("chat", "Yes.")));
const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      sandbox: "off",
      channels: [vendor.channel({ name: "all", models: ["flat"] })],
      prices: [{ model: "flat", call_micros: priceMicros }],
      budgets: [{ name: "declared", limit_micros: 5_000_000, period: "week" }],
    }),
  }),
);

interface Made {
  id: string;
  name: string;
}

async function ask(key: string, label?: string): Promise<Response> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(label !== undefined && { "x-sluice-label": label }),
    },
    body: JSON.stringify(chatBody("flat")),
  });
  await response.clone().text();
  return response;
}

async function statuses(count: number, key: string, label?: string): Promise<number[]> {
  const all: number[] = [];
  for (let at = 0; at < count; at++) all.push((await ask(key, label)).status);
  return all;
}

describe("in an organisation", () => {
  let acme: Company;

  beforeAll(async () => {
    acme = await newCompany(gateway, "acme");
    const credit = { micros: 1_000_000, reason: "invoice" };
    await gateway.control("POST", `/api/user/${acme.id}/credit`, credit);
  });

  async function key(by: Browser, name: string, fields = {}): Promise<string> {
    const body = { name, unlimited: true, ...fields };
    return (await by.ask<{ key: string }>("POST", `/api/token?${acme.as}`, body)).key;
  }

  async function budget(fields: object): Promise<Made> {
    const body = { limit_micros: 2 * priceMicros, ...fields };
    return await acme.people.admin.ask<Made>("POST", `/api/budget?${acme.as}`, body);
  }

  async function remove({ id }: Made): Promise<void> {
    await acme.people.admin.ask("DELETE", `/api/budget/${id}?${acme.as}`);
  }

  test("Q13 every member has one of its own, over all its keys, and service keys have none", async () => {
    const { member, admin } = acme.people;
    const made = await budget({ name: "every member", scope: "member" });
    const [first, second] = [await key(member, "m1"), await key(member, "m2")];
    expect(await statuses(1, first)).toEqual([200]);
    expect(await statuses(2, second)).toEqual([200, 402]);
    expect(await statuses(1, first)).toEqual([402]);
    expect(await statuses(1, await key(admin, "a1"))).toEqual([200]);
    const service = await key(admin, "s1", { service: true });
    expect(await statuses(3, service)).toEqual([200, 200, 200]);
    await remove(made);
  });

  test("Q13 a project's is shared by its keys", async () => {
    const { admin } = acme.people;
    await admin.ask("POST", `/api/organisation/${acme.id}/project`, { name: "research" });
    const made = await budget({ name: "project", scope: "project", subject: "research" });
    const [first, second] = [
      await key(admin, "p1", { project: "research" }),
      await key(admin, "p2", { project: "research" }),
    ];
    expect(await statuses(1, first)).toEqual([200]);
    expect(await statuses(2, second)).toEqual([200, 402]);
    expect(await statuses(2, await key(admin, "p3"))).toEqual([200, 200]);
    await remove(made);
  });

  test("Q13 a member is not told the names of others' budgets, the organisation's own key is", async () => {
    const { member, admin } = acme.people;
    const made = await budget({ name: "secret plan", limit_micros: 0 });
    const own = await key(member, "m3");
    const refused = await ask(own);
    const { code, message, param } = await errorOf(refused);
    expect([refused.status, code, param]).toEqual([402, "budget_exceeded", null]);
    expect(message).not.toContain("secret plan");
    expect(await (await gateway.get("/v1/budget", own)).json()).toMatchObject({
      data: [{ name: null, scope: "account", limit_micros: null, used_share: 1 }],
    });
    const { budgets } = await member.ask<{ budgets: object[] }>(
      "GET",
      `/api/budget/self?${acme.as}`,
    );
    expect(budgets).toMatchObject([{ name: null }]);
    const service = await key(admin, "s2", { service: true });
    expect((await errorOf(await ask(service))).param).toBe("secret plan");
    await remove(made);
  });

  test("Q13 hazard G11 a member is told the share of what all spend and when it starts anew, no sums", async () => {
    const { member, admin } = acme.people;
    await admin.ask("POST", `/api/organisation/${acme.id}/project`, { name: "hushed" });
    const limit = { limit_micros: 20 * priceMicros, period: "day" };
    const whole = await budget({ name: "of all", ...limit });
    const part = await budget({ name: "of some", ...limit, scope: "project", subject: "hushed" });
    const each = await budget({ name: "of each", ...limit, scope: "member" });
    const own = await key(member, "m4", { project: "hushed" });
    expect(await statuses(7, own)).toEqual(Array(7).fill(200));
    const sums = ["limit_micros", "spent_micros", "held_micros", "left_micros"];
    const none = Object.fromEntries(sums.map((name) => [name, null]));
    const told = [
      { name: null, scope: "account", used_share: 0.35, ...none },
      { name: null, scope: "project", used_share: 0.35, ...none },
      { name: "of each", scope: "member", used_share: 0.35, spent_micros: 7 * priceMicros },
    ];
    const { id } = firstOf(await member.ask("GET", `/api/token?${acme.as}&q=m4`));
    for (const path of ["/api/budget/self", `/api/token/${id}/budget`]) {
      const { budgets } = await member.ask<{ budgets: { scope: string }[] }>(
        "GET",
        `${path}?${acme.as}`,
      );
      const shown = budgets.filter(({ scope }) => scope !== "key").toSorted(byScope);
      expect(shown, path).toMatchObject(told.toSorted(byScope));
    }
    const { budgets: all } = await admin.ask<{ budgets: object[] }>(
      "GET",
      `/api/budget/self?${acme.as}`,
    );
    expect(all).toContainEqual(
      expect.objectContaining({ name: "of all", spent_micros: 7 * priceMicros, used_share: 0.35 }),
    );
    await admin.ask("PATCH", `/api/budget/${whole.id}?${acme.as}`, {
      limit_micros: 7 * priceMicros,
    });
    const { message } = await errorOf(await ask(own));
    expect(message).toStartWith("A budget of your organisation is spent. It starts anew on ");
    for (const made of [whole, part, each]) await remove(made);
  });

  test("Q13 its owners and admins set them, viewers read them, members do neither", async () => {
    const made = await budget({ name: "of the admin" });
    const { owner, member, viewer } = acme.people;
    const path = `/api/budget/${made.id}?${acme.as}`;
    const change = { limit_micros: 7 };
    expect((await viewer.call("GET", path)).success).toBe(true);
    expect((await viewer.call("PATCH", path, change)).code).toBe("permission_denied");
    expect((await member.call("GET", path)).code).toBe("permission_denied");
    expect((await owner.call("PATCH", path, change)).success).toBe(true);
    await remove(made);
  });

  test("Q13 one whose project is gone, or whose member, is still lowered and disabled", async () => {
    const { admin } = acme.people;
    const at = `/api/organisation/${acme.id}`;
    const { id } = await admin.ask<Made>("POST", `${at}/project`, { name: "over" });
    const made = await budget({ name: "of what is over", scope: "project", subject: "over" });
    await admin.ask("DELETE", `${at}/project/${id}`);
    const change = (body: object) => admin.call("PATCH", `/api/budget/${made.id}?${acme.as}`, body);
    expect(await change({ limit_micros: 1 })).toMatchObject({ success: true });
    expect((await change({ status: "disabled" })).data).toMatchObject({
      subject: id,
      limit_micros: 1,
    });
    expect(await change({ subject: "over" })).toMatchObject({ param: "subject" });
    await remove(made);
  });

  test("Q13 a subject is the organisation's own, or the field is named", async () => {
    const { admin } = acme.people;
    const stranger = await newPerson(gateway, 0);
    const wrong = [
      { scope: "member", subject: stranger.username },
      { scope: "project", subject: "nothing" },
      { scope: "key", subject: stranger.keyId },
      { scope: "label", subject: "two words" },
      { scope: "account", subject: "anything" },
    ];
    for (const fields of wrong) {
      const body = { name: "wrong", limit_micros: 1, ...fields };
      const answer = await admin.call("POST", `/api/budget?${acme.as}`, body);
      expect([fields.scope, answer.param]).toEqual([fields.scope, "subject"]);
    }
  });
});

describe("labels", () => {
  test("Q13 each label has one of its own, and what has none falls under none", async () => {
    const { id, key } = await gateway.customer(1_000_000);
    const limit = { limit_micros: priceMicros, account: id };
    await gateway.control("POST", "/api/budget", { name: "each", scope: "label", ...limit });
    expect(await statuses(2, key, "blue")).toEqual([200, 402]);
    expect(await statuses(2, key, "green")).toEqual([200, 402]);
    expect(await statuses(2, key)).toEqual([200, 200]);
    const left = async (headers: object) => {
      const all = await fetch(`${gateway.url}/v1/budget`, {
        headers: { authorization: `Bearer ${key}`, ...headers },
      });
      return ((await all.json()) as { data: { subject: string }[] }).data;
    };
    expect(await left({})).toEqual([]);
    expect(await left({ "x-sluice-label": "blue" })).toMatchObject([
      { subject: "blue", spent_micros: priceMicros, left_micros: 0 },
    ]);
  });
});

describe("who may", () => {
  test("Q13 an account bounds itself, and lifts nothing that was set for it", async () => {
    const person = await newPerson(gateway, 1_000_000);
    const own = (method: string, path: string, body?: object) =>
      gateway.controlEnvelope(method, path, body, person.token);
    const set = await gateway.control<Made>("POST", "/api/budget", {
      name: "set",
      account: person.username,
      limit_micros: priceMicros,
    });
    for (const [method, path, body] of [
      ["PATCH", `/api/budget/${set.id}`, { limit_micros: 1_000_000 }],
      ["POST", `/api/budget/${set.id}/renew`, {}],
      ["POST", `/api/budget/${set.id}/raise`, { limit_micros: 1_000_000 }],
      ["DELETE", `/api/budget/${set.id}`, undefined],
    ] as const) {
      expect(await own(method, path, body)).toMatchObject({ code: "permission_denied" });
    }
    const made = await own("POST", "/api/budget", { name: "own", limit_micros: 5 });
    expect(made).toMatchObject({ success: true, data: { operators: false } });
    expect(await own("GET", "/api/budget")).toMatchObject({ data: { total: 2 } });
    const { id } = made.data as Made;
    expect((await own("DELETE", `/api/budget/${id}`)).success).toBe(true);
  });

  test("Q13 an account with hundreds of keys sees what is left to each", async () => {
    const person = await newPerson(gateway, 0);
    const own = (method: string, path: string, body?: object) =>
      gateway.controlEnvelope(method, path, body, person.token);
    await own("POST", "/api/budget", { name: "each", scope: "key", limit_micros: 5 });
    for (let at = 0; at < 205; at++) {
      expect(await own("POST", "/api/token", { name: `k${at}` })).toMatchObject({ success: true });
    }
    const { data } = await own("GET", "/api/budget/self");
    const { budgets } = data as { budgets: { subject: string }[] };
    expect(new Set(budgets.map(({ subject }) => subject)).size).toBeGreaterThanOrEqual(205);
    expect(budgets.map(({ subject }) => subject)).toContain(person.keyId);
  });

  test("Q13 another account's does not exist", async () => {
    const [one, other] = [await newPerson(gateway, 0), await newPerson(gateway, 0)];
    const { id } = await gateway.control<Made>("POST", "/api/budget", {
      name: "one's",
      account: one.username,
      limit_micros: 1,
    });
    const ask = (path: string) => gateway.controlEnvelope("GET", path, undefined, other.token);
    expect(await ask(`/api/budget/${id}`)).toMatchObject({ code: "not_found" });
    expect(await ask(`/api/budget/${id}/window`)).toMatchObject({ code: "not_found" });
    expect(await ask("/api/budget")).toMatchObject({ data: { total: 0 } });
    const named = { name: "x", limit_micros: 1, account: one.username };
    const made = await gateway.controlEnvelope("POST", "/api/budget", named, other.token);
    expect(made).toMatchObject({ code: "permission_denied", param: "account" });
  });

  test("Q13 a ninth budget that one request could fall under is refused when it is made", async () => {
    const { id } = await gateway.customer(0);
    const make = (name: string, fields = {}) =>
      gateway.controlEnvelope("POST", "/api/budget", {
        name,
        account: id,
        limit_micros: 1,
        ...fields,
      });
    for (let at = 0; at < 4; at++) {
      expect((await make(`account ${at}`)).success).toBe(true);
      expect((await make(`key ${at}`, { scope: "key" })).success).toBe(true);
    }
    expect(await make("ninth", { scope: "label" })).toMatchObject({ code: "conflict" });
    expect(await make("account 0")).toMatchObject({ code: "conflict" });
  });

  test("Q13 the file declares them", async () => {
    const { items } = await gateway.control<{ items: object[] }>("GET", "/api/budget?account=root");
    expect(items).toMatchObject([
      { name: "declared", declared: true, operators: true, period: "week", limit_micros: 5e6 },
    ]);
  });
});

function firstOf({ items }: { items: Made[] }): Made {
  const [first] = items;
  if (!first) throw new Error("there is none");
  return first;
}

function byScope(one: { scope: string }, other: { scope: string }): number {
  return one.scope.localeCompare(other.scope);
}
