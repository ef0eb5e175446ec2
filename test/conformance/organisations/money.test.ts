// The money of an organisation: its own keys, and those of who may know, are told of it; a member's
// key is told of its own.
import { beforeAll, describe, expect, test } from "bun:test";
import { newCompany, type Company } from "../../harness/accounts/organisation.ts";
import { chatBody, errorOf } from "../../harness/ask.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers } from "../../harness/wires.ts";

const vendor = kept(new Vendor(answers("chat", "Yes.")));
const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      sandbox: "off",
      channels: [vendor.channel({ name: "all", models: ["flat", "dear"] })],
      prices: [
        { model: "flat", call_micros: 10_000 },
        { model: "dear", call_micros: 900_000_000 },
      ],
    }),
  }),
);

const grantedMicros = 6_654_321;
let acme: Company;
const keys: Record<string, string> = {};

async function ask(key: string, model: string): Promise<Response> {
  return await gateway.post("/v1/chat/completions", chatBody(model), key);
}

async function bill(key: string): Promise<[limitUsd: unknown, usedCents: unknown, days: number]> {
  const read = async (path: string) => {
    const response = await gateway.get(`/v1/dashboard/billing/${path}`, key);
    return (await response.json()) as Record<string, unknown>;
  };
  const [{ hard_limit_usd: limit }, usage] = [await read("subscription"), await read("usage")];
  const daily = usage["daily_costs"] as { line_items: unknown[] }[];
  return [limit, usage["total_usage"], daily.flatMap((day) => day.line_items).length];
}

beforeAll(async () => {
  acme = await newCompany(gateway, "acme");
  const credit = { micros: grantedMicros, reason: "invoice" };
  await gateway.control("POST", `/api/user/${acme.id}/credit`, credit);
  for (const role of ["owner", "admin", "member"] as const) {
    const made = { name: role, unlimited: true };
    const { key } = await acme.people[role].ask<{ key: string }>(
      "POST",
      `/api/token?${acme.as}`,
      made,
    );
    keys[role] = key;
  }
  const body = { name: "service", unlimited: true, service: true };
  const made = await acme.people.owner.ask<{ key: string }>("POST", `/api/token?${acme.as}`, body);
  keys["service"] = made.key;
  for (const key of ["owner", "owner", "member"]) {
    const response = await ask(keys[key] ?? "", "flat");
    expect(response.status).toBe(200);
    await response.text();
  }
});

describe("a key of an organisation", () => {
  test.each(["owner", "admin", "service"])(
    "that is %s's is told the money of it",
    async (whose) => {
      const key = keys[whose] ?? "";
      expect(await bill(key)).toEqual([grantedMicros / 1e6, 3, 1]);
      const { message } = await errorOf(await ask(key, "dear"));
      expect(message).toContain("this account has $6.624321 left");
    },
  );

  test("that is a member's is told its own alone", async () => {
    const key = keys["member"] ?? "";
    expect(await bill(key)).toEqual([100_000_000, 1, 1]);
    const refused = await ask(key, "dear");
    expect(refused.status).toBe(402);
    const { message } = await errorOf(refused);
    expect(message).toContain("can cost up to $900.00, and your organisation has not enough left");
    expect(message).not.toContain("6.6");
  });
});
