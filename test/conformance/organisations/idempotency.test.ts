// Idempotency keys in an organisation: each member has names of its own, and so have the keys of
// the organisation itself. What earlier versions stored under one name for all is found by its
// maker alone.
import { beforeAll, describe, expect, test } from "bun:test";
import { newCompany, type Company } from "../../harness/accounts/organisation.ts";
import { chatBody } from "../../harness/ask.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { rowsOf } from "../../harness/rows.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers } from "../../harness/wires.ts";

const vendor = kept(new Vendor(answers("chat", "Yes.")));
const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      sandbox: "on",
      channels: [vendor.channel({ name: "all", models: ["flat"] })],
      prices: [{ model: "flat", call_micros: 1000 }],
    }),
  }),
);

let acme: Company;

async function newKey(role: "owner" | "admin" | "member", fields: object = {}) {
  const body = { name: crypto.randomUUID().slice(0, 8), unlimited: true, ...fields };
  const path = `/api/token?${acme.as}`;
  return await acme.people[role].ask<{ id: string; key: string }>("POST", path, body);
}

async function ask(path: string, { key }: { key: string }, name: string, body: object) {
  const response = await fetch(gateway.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "idempotency-key": name },
    body: JSON.stringify(body),
  });
  const { id } = (await response.json()) as { id?: string };
  const isReplay = response.headers.get("idempotent-replayed") === "true";
  return { status: response.status, id, isReplay };
}

const say = (key: { key: string }, name: string, content = "Hello?") =>
  ask("/v1/chat/completions", key, name, {
    ...chatBody("flat"),
    messages: [{ role: "user", content }],
  });

beforeAll(async () => {
  acme = await newCompany(gateway, "acme");
  const credit = { micros: 100_000_000, reason: "invoice" };
  await gateway.control("POST", `/api/user/${acme.id}/credit`, credit);
});

describe("an idempotency key", () => {
  test("of one member is no other's, whatever they ask for", async () => {
    const [member, admin] = [await newKey("member"), await newKey("admin")];
    const service = await newKey("owner", { service: true });
    for (const [at, key] of [member, admin, service].entries()) {
      expect(await say(key, "daily-report")).toMatchObject({ status: 200, isReplay: false });
      expect(await say(key, "weekly", `${at}`)).toMatchObject({ status: 200, isReplay: false });
    }
    expect(await say(await newKey("member"), "daily-report")).toMatchObject({ isReplay: true });
    expect(await say(await newKey("member"), "weekly", "else")).toMatchObject({ status: 409 });
    const again = await newKey("owner", { service: true });
    expect(await say(again, "daily-report")).toMatchObject({ isReplay: true });
  });

  test("of a task is each member's own", async () => {
    const film = { model: "videoA-3", prompt: "A weir", seconds: "4" };
    const create = (key: { key: string }) => ask("/v1/videos", key, "film", film);
    const [member, admin] = [await newKey("member"), await newKey("admin")];
    const [own, other] = [await create(member), await create(admin)];
    expect([own.status, other.status]).toEqual([200, 200]);
    expect(own.id).not.toBe(other.id);
    expect(await create(await newKey("member"))).toMatchObject({ id: own.id });
    expect((await gateway.get(`/v1/videos/${own.id}`, member.key)).status).toBe(200);
    expect((await gateway.get(`/v1/videos/${other.id}`, member.key)).status).toBe(404);
  });

  test("of an earlier version is found by the member that made its answer, and by nobody else", async () => {
    const former = await newKey("owner", { service: true });
    expect(await say(former, "of old")).toMatchObject({ status: 200, isReplay: false });
    // The row of an earlier version: under the name of all, charged to a member's key.
    const change = `update api_key set maker_id = '${acme.ids.member}' where id = '${former.id}'`;
    await rowsOf(gateway, `${change} returning id`);
    expect(await say(await newKey("member"), "of old")).toMatchObject({ isReplay: true });
    expect(await say(await newKey("admin"), "of old")).toMatchObject({ isReplay: false });
    const service = await newKey("owner", { service: true });
    expect(await say(service, "of old")).toMatchObject({ status: 409 });
  });
});
