// Rates of members and projects: all keys of one together are bound, and no others.
import { beforeAll, describe, expect, test } from "bun:test";
import { newCompany, type Company } from "../../harness/accounts/organisation.ts";
import { chatBody, errorOf } from "../../harness/ask.ts";
import type { Browser } from "../../harness/browser.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers } from "../../harness/wires.ts";

const vendor = kept(new Vendor(answers("chat", "Yes.")));
const gateway = useStand(() =>
  startGateway({
    oneProcess: "judgement",
    config: JSON.stringify({
      sandbox: "off",
      channels: [vendor.channel({ name: "all", models: ["flat"] })],
      prices: [{ model: "flat", call_micros: 1 }],
    }),
  }),
);

interface Rated {
  id: string;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  concurrency: number | null;
}

let acme: Company;

beforeAll(async () => {
  acme = await newCompany(gateway, "rated");
  const credit = { micros: 1_000_000, reason: "invoice" };
  await gateway.control("POST", `/api/user/${acme.id}/credit`, credit);
});

async function key(by: Browser, name: string, fields = {}): Promise<string> {
  const body = { name, unlimited: true, ...fields };
  return (await by.ask<{ key: string }>("POST", `/api/token?${acme.as}`, body)).key;
}

async function statuses(keys: readonly string[]): Promise<number[]> {
  const all: number[] = [];
  for (const one of keys) {
    const response = await gateway.post("/v1/chat/completions", chatBody("flat"), one);
    await response.text();
    all.push(response.status);
  }
  return all;
}

async function refusal(of: string): Promise<unknown> {
  const response = await gateway.post("/v1/chat/completions", chatBody("flat"), of);
  return { status: response.status, ...(await errorOf(response)) };
}

const at = (path: string) => `/api/organisation/${acme.id}/${path}`;

describe("rates", () => {
  test("Q3 of a member bound all its keys, and nobody else's", async () => {
    const { admin, member } = acme.people;
    const [first, second] = [await key(member, "m1"), await key(member, "m2")];
    const others = await key(admin, "a1");
    const seat = at(`member/${acme.ids.member}`);
    const shown = await admin.ask<Rated>("PATCH", seat, { requests_per_minute: 2 });
    expect(shown).toMatchObject({ requests_per_minute: 2, concurrency: null, role: "member" });
    expect(await statuses([first, second, first, others])).toEqual([200, 200, 429, 200]);
    expect(await refusal(second)).toMatchObject({
      status: 429,
      code: "rate_limit_exceeded",
      message: "The limit of 2 requests per minute for this member is reached.",
    });
    expect(await admin.ask("GET", at("member"))).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ requests_per_minute: 2 })]),
    });
    await admin.ask("PATCH", seat, { requests_per_minute: null });
    expect(await statuses([first, second, first])).toEqual([200, 200, 200]);
  });

  test("Q3 of a project bound all its keys, whoever made them", async () => {
    const { admin, member } = acme.people;
    const made = await admin.ask<Rated>("POST", at("project"), {
      name: "rated",
      requests_per_minute: 2,
    });
    expect(made).toMatchObject({ requests_per_minute: 2, tokens_per_minute: null });
    const [first, second] = [
      await key(admin, "p1", { project: "rated" }),
      await key(member, "p2", { project: "rated" }),
    ];
    expect(await statuses([first, second, first])).toEqual([200, 200, 429]);
    expect(await refusal(second)).toMatchObject({
      message: "The limit of 2 requests per minute for this project is reached.",
    });
    expect(await statuses([await key(member, "m3")])).toEqual([200]);
    const project = at(`project/${made.id}`);
    await admin.ask("PATCH", project, { requests_per_minute: null, tokens_per_minute: 1 });
    expect(await statuses([first, first])).toEqual([200, 429]);
    expect(await refusal(second)).toMatchObject({
      message: "The limit of 1 tokens per minute for this project is reached.",
    });
  });

  test("Q3 are set by those who lead, and a rate of nothing is none", async () => {
    const { admin, member } = acme.people;
    const seat = at(`member/${acme.ids.member}`);
    expect(await member.call("PATCH", seat, { concurrency: 1 })).toMatchObject({ success: false });
    expect(await admin.call("PATCH", seat, { concurrency: 0 })).toMatchObject({
      success: false,
      message: expect.stringContaining("concurrency"),
    });
  });
});
