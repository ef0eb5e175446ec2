// Captures in the scope of an organisation: its leaders have those of all keys, members those of
// the keys they made, and nobody any from outside.
import { beforeAll, expect, test } from "bun:test";
import type { Browser } from "../../harness/browser.ts";
import { newCompany, type Company, type SeatRole } from "../../harness/accounts/organisation.ts";
import { eventually } from "../../harness/books.ts";
import { startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { completion, Vendor } from "../../harness/vendor.ts";

const vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      sandbox: "off",
      prices: [{ model: "m", call_micros: 10 }],
      channels: [vendor.channel({ name: "main", models: ["m"] })],
    }),
  }),
);

interface Key {
  id: string;
  key: string;
}
interface Capture {
  id: string;
  by: string;
  account: string | null;
  may_end: boolean;
}

let acme: Company;
let ofMember: Key;
let ofAdmin: Key;

beforeAll(async () => {
  acme = await newCompany(gateway, "acme");
  const credit = { micros: 1_000_000, reason: "invoice" };
  await gateway.control("POST", `/api/user/${acme.id}/credit`, credit);
  [ofMember, ofAdmin] = [await newKey("member"), await newKey("admin")];
});

const scoped = (path: string) => `${path}?${acme.as}`;

async function newKey(role: SeatRole): Promise<Key> {
  const body = { name: `of-${role}`, unlimited: true };
  return await acme.people[role].ask<Key>("POST", scoped("/api/token"), body);
}

async function say({ key }: Key, content: string): Promise<string> {
  const body = { model: "m", messages: [{ role: "user", content }] };
  const response = await gateway.post("/v1/chat/completions", body, key);
  await response.text();
  return response.headers.get("x-request-id") ?? "";
}

const capture = (by: Browser, body: object) => by.call("POST", scoped("/api/capture"), body);

async function listed(by: Browser, path = scoped("/api/capture")): Promise<string[]> {
  const { items } = await by.ask<{ items: Capture[] }>("GET", path);
  return items.map(({ id, may_end: mayEnd }) => (mayEnd ? id : `${id} fixed`));
}

async function readable(by: Browser, request: string): Promise<boolean> {
  return (await by.call("GET", scoped(`/api/log/self/${request}/content`))).success;
}

async function untilReadable(by: Browser, request: string): Promise<void> {
  await eventually("the content", async () => ((await readable(by, request)) ? true : undefined));
}

test("O4 leaders capture all keys, members their own, and each sees what concerns it", async () => {
  const { owner, admin, member, viewer } = acme.people;
  expect(await capture(viewer, {})).toMatchObject({ code: "permission_denied" });
  const bare = await capture(member, {});
  expect(bare).toMatchObject({ code: "invalid_request", param: "key" });
  expect(await capture(member, { key: ofAdmin.id })).toMatchObject({ code: "not_found" });
  const own = (await capture(member, { key: ofMember.id })).data as Capture;
  expect(own).toMatchObject({ account: "acme", by: "acme-member", may_end: true });
  const ofKey = (await capture(owner, { key: ofAdmin.id })).data as Capture;
  const whole = (await capture(admin, { requests: 5 })).data as Capture;
  expect((await listed(owner)).toSorted()).toEqual([own.id, ofKey.id, whole.id].toSorted());
  expect((await listed(member)).toSorted()).toEqual([own.id, `${whole.id} fixed`].toSorted());
  const seen = await listed(viewer);
  expect(seen.every((one) => one.endsWith(" fixed"))).toBe(true);
  const first = await say(ofMember, "mine");
  const second = await say(ofAdmin, "theirs");
  await untilReadable(owner, first);
  await untilReadable(admin, second);
  expect([await readable(member, first), await readable(member, second)]).toEqual([true, false]);
  expect(await readable(viewer, first)).toBe(false);
  const end = (by: Browser, id: string) => by.call("DELETE", scoped(`/api/capture/${id}`));
  expect(await end(member, whole.id)).toMatchObject({ code: "not_found" });
  expect(await end(member, ofKey.id)).toMatchObject({ code: "not_found" });
  expect(await end(member, own.id)).toMatchObject({ success: true });
  expect(await end(owner, whole.id)).toMatchObject({ success: true });
});

test("O4 a capture of an organisation is nothing of the person's own, whoever ordered it", async () => {
  const { admin } = acme.people;
  const made = (await capture(admin, { key: ofAdmin.id })).data as Capture;
  const request = await say(ofAdmin, "secret");
  await untilReadable(admin, request);
  expect(await listed(admin, "/api/capture")).toEqual([]);
  const outside = await admin.call("GET", `/api/log/self/${request}/content`);
  expect(outside).toMatchObject({ code: "not_found" });
  expect(await admin.call("DELETE", `/api/capture/${made.id}`)).toMatchObject({
    code: "not_found",
  });
});
