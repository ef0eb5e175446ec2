// Holds and their windows: a charge is the window's in which it was admitted, however late it ends
// and whatever becomes of the budget, the key or the clock meanwhile. On files, whose clock can be
// moved.
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { newCompany, type Company } from "../../harness/accounts/organisation.ts";
import { chatBody } from "../../harness/ask.ts";
import { runCommand } from "../../harness/command.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { completion, Vendor, type VendorReply } from "../../harness/vendor.ts";

const priceMicros = 1000;
const hourSeconds = 3600;
const hours = { period: "hours", hours: 1, hours_from: "epoch" };
const heldBack: VendorReply[] = [];
let hold = Promise.withResolvers<void>();

/** Answers at once, but for what has `slow` in it, which is answered when the test says so. */
const vendor = kept(
  new Vendor((request, reply) => {
    if (!request.text.includes("slow")) return reply.json(completion("Yes."));
    heldBack.push(reply);
    hold.resolve();
    return undefined;
  }),
);
const gateway = useStand(() =>
  startGateway({
    isOnFiles: true,
    config: JSON.stringify({
      sandbox: "off",
      timeouts: { first_byte_ms: 7_200_000 },
      channels: [vendor.channel({ name: "all", models: ["flat"] })],
      prices: [{ model: "flat", call_micros: priceMicros }],
    }),
  }),
);

interface Window {
  subject: string | null;
  opened_at: number;
  limit_micros: number;
  spent_micros: number;
  held_micros: number;
}

let customer: { id: string; key: string };

beforeEach(async () => {
  customer = await gateway.customer(1_000_000_000);
});

async function budget(fields: object): Promise<string> {
  const whole = { name: "the budget", account: customer.id, limit_micros: 3 * priceMicros };
  const { id } = await gateway.control<{ id: string }>("POST", "/api/budget", {
    ...whole,
    ...fields,
  });
  return id;
}

async function windows(id: string): Promise<Window[]> {
  return (await gateway.control<{ items: Window[] }>("GET", `/api/budget/${id}/window`)).items;
}

async function ask(key = customer.key): Promise<number> {
  const response = await gateway.post("/v1/chat/completions", chatBody("flat"), key);
  await response.text();
  return response.status;
}

/** A request that the vendor has, and the way to have it answered. */
async function begin(key = customer.key): Promise<() => Promise<number>> {
  hold = Promise.withResolvers();
  const body = { ...chatBody("flat"), user: "slow" };
  const answered = gateway.post("/v1/chat/completions", body, key);
  await hold.promise;
  return async () => {
    heldBack.pop()?.json(completion("Yes."));
    const response = await answered;
    await response.text();
    return response.status;
  };
}

describe("a charge", () => {
  test("Q13 that comes in another window is the first one's", async () => {
    const id = await budget({ ...hours, mode: "hard" });
    const end = await begin();
    gateway.pass(hourSeconds);
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 402]);
    expect(await windows(id)).toMatchObject([
      { spent_micros: 3 * priceMicros, held_micros: 0 },
      { spent_micros: 0, held_micros: priceMicros },
    ]);
    expect(await end()).toBe(200);
    expect(await windows(id)).toMatchObject([
      { spent_micros: 3 * priceMicros, held_micros: 0 },
      { spent_micros: priceMicros, held_micros: 0 },
    ]);
  });

  test("Q13 that comes after its window was freed is not the next one's", async () => {
    const id = await budget({ mode: "hard", limit_micros: priceMicros });
    const end = await begin();
    expect(await ask()).toBe(402);
    gateway.pass(1);
    await gateway.control("POST", `/api/budget/${id}/renew`, {});
    expect(await ask()).toBe(200);
    expect(await end()).toBe(200);
    expect(await ask()).toBe(402);
    expect((await windows(id)).map(({ spent_micros: spent }) => spent)).toEqual([1000, 1000]);
  });

  test("Q13 is booked though its budget is lowered, disabled and deleted meanwhile", async () => {
    const id = await budget({ mode: "hard" });
    const end = await begin();
    const path = `/api/budget/${id}`;
    await gateway.control("PATCH", path, { limit_micros: 0 });
    expect(await windows(id)).toMatchObject([{ limit_micros: 0, held_micros: priceMicros }]);
    expect(await ask()).toBe(402);
    await gateway.control("PATCH", path, { status: "disabled" });
    expect(await ask()).toBe(200);
    await gateway.control("DELETE", path);
    expect(await end()).toBe(200);
    expect(await ask()).toBe(200);
  });

  test("Q13 is booked under the budget that another rhythm, mode or scope replaces", async () => {
    const id = await budget({ mode: "hard", limit_micros: priceMicros });
    const end = await begin();
    gateway.pass(1);
    await gateway.control("PATCH", `/api/budget/${id}`, { period: "week", mode: "stop" });
    expect([await ask(), await ask()]).toEqual([200, 402]);
    expect(await end()).toBe(200);
    expect((await windows(id)).map(({ spent_micros: spent }) => spent)).toEqual([1000, 1000]);
  });
});

describe("a clock that goes back", () => {
  test("Q13 opens nothing anew and gives nothing twice", async () => {
    const id = await budget({ ...hours, mode: "hard", limit_micros: priceMicros });
    expect([await ask(), await ask()]).toEqual([200, 402]);
    gateway.pass(hourSeconds);
    expect([await ask(), await ask()]).toEqual([200, 402]);
    gateway.pass(-hourSeconds);
    expect([await ask(), await ask()]).toEqual([402, 402]);
    gateway.pass(hourSeconds);
    expect(await ask()).toBe(402);
    const found = await windows(id);
    expect(found.map(({ spent_micros: spent }) => spent)).toEqual([priceMicros, priceMicros]);
  });

  test("Q13 finds the window that was freed, before the moment at which it was", async () => {
    const id = await budget({ period: "day", mode: "hard", limit_micros: priceMicros });
    expect([await ask(), await ask()]).toEqual([200, 402]);
    gateway.pass(2);
    await gateway.control("POST", `/api/budget/${id}/renew`, {});
    gateway.pass(-1);
    expect([await ask(), await ask()]).toEqual([200, 402]);
    expect(await windows(id)).toHaveLength(2);
    gateway.pass(1);
    expect(await ask()).toBe(402);
  });
});

describe("a key that is moved", () => {
  let acme: Company;

  beforeAll(async () => {
    acme = await newCompany(gateway, "movers");
    const credit = { micros: 1_000_000, reason: "invoice" };
    await gateway.control("POST", `/api/user/${acme.id}/credit`, credit);
  });

  test("Q13 between projects leaves its charges, and what it holds, where they were", async () => {
    const { admin } = acme.people;
    const projects = [];
    for (const name of ["north", "south"]) {
      const path = `/api/organisation/${acme.id}/project`;
      projects.push(await admin.ask<{ id: string }>("POST", path, { name }));
    }
    const made = await admin.ask<{ id: string; key: string }>("POST", `/api/token?${acme.as}`, {
      name: "mover",
      unlimited: true,
      project: "north",
      service: true,
    });
    const { id } = await admin.ask<{ id: string }>("POST", `/api/budget?${acme.as}`, {
      name: "each project",
      scope: "project",
      mode: "hard",
      limit_micros: 2 * priceMicros,
    });
    expect(await ask(made.key)).toBe(200);
    const end = await begin(made.key);
    expect(await ask(made.key)).toBe(402);
    await admin.ask("PATCH", `/api/token/${made.id}?${acme.as}`, { project: "south" });
    expect([await ask(made.key), await ask(made.key), await ask(made.key)]).toEqual([
      200, 200, 402,
    ]);
    expect(await end()).toBe(200);
    const spent = (await windows(id)).map((window) => [window.subject, window.spent_micros]);
    expect(new Map(spent as [string, number][])).toEqual(
      new Map(projects.map((project) => [project.id, 2 * priceMicros])),
    );
  });
});

test("Q13 the books are whole after all of that", async () => {
  const { code, out, error } = await runCommand({ folder: gateway.folder }, "ledger", "verify");
  expect({ code, out, error }).toMatchObject({ code: 0, error: "" });
});
