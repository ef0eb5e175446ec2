// Tasks and callbacks in the scope of an organisation: a member has the tasks of the keys it made,
// and callbacks with their secret are for those who lead it.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { newCompany, type Company, type SeatRole } from "../../harness/accounts/organisation.ts";
import { eventually } from "../../harness/books.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import {
  create,
  idOf,
  prompt,
  quickPolls,
  reaches,
  startVideoVendors,
  type VideoVendors,
} from "../../harness/videos.ts";

setDefaultTimeout(60_000);

const model = "videoC-2-0-260128";
let vendors: VideoVendors;
let gateway: Gateway;
let acme: Company;
let calls = 0;
const receiver = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch() {
    calls++;
    return new Response(null, { status: 204 });
  },
});

beforeAll(async () => {
  vendors = startVideoVendors();
  const media = `media: { private_hosts: [ "127.0.0.1:${receiver.port}" ] }`;
  gateway = await startGateway({ config: [quickPolls, vendors.config, media].join("\n") });
  acme = await newCompany(gateway, "acme");
  const credit = { micros: 1_000_000_000, reason: "invoice" };
  await gateway.control("POST", `/api/user/${acme.id}/credit`, credit);
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await vendors[Symbol.asyncDispose]();
  await receiver.stop(true);
});

const scoped = (path: string) => `${path}?${acme.as}`;

async function taskBy(role: SeatRole): Promise<string> {
  const body = { name: role, unlimited: true };
  const { key } = await acme.people[role].ask<{ key: string }>("POST", scoped("/api/token"), body);
  const id = idOf(await create(gateway, { model, prompt, duration: 4 }, { key }));
  await reaches(gateway, id, "completed", key);
  return id;
}

interface Listed {
  items: JsonObject[];
}

async function idsFor(role: SeatRole, path: string): Promise<unknown[]> {
  const { items } = await acme.people[role].ask<Listed>("GET", scoped(path));
  return items.map(({ id }) => id);
}

test("O4 tasks are everyone's to owners and admins, and those of its keys to a member", async () => {
  const [own, other] = [await taskBy("member"), await taskBy("admin")];
  expect(await idsFor("owner", "/api/task/self")).toEqual([other, own]);
  expect(await idsFor("member", "/api/task/self")).toEqual([own]);
  const { member, admin, viewer } = acme.people;
  const at = (id: string) => scoped(`/api/task/self/${id}`);
  expect(await viewer.call("GET", at(own))).toMatchObject({ code: "permission_denied" });
  for (const method of ["GET", "DELETE"]) {
    expect(await member.call(method, at(other))).toMatchObject({ code: "not_found" });
  }
  const cancel = await member.call("POST", scoped(`/api/task/self/${other}/cancel`));
  expect(cancel).toMatchObject({ code: "not_found" });
  expect(await member.ask("GET", at(own))).toMatchObject({ id: own, state: "completed" });
  expect(await admin.ask("DELETE", at(own))).toEqual({ id: own });
  expect(await member.call("GET", at(own))).toMatchObject({ code: "not_found" });
});

test("O4 callbacks and their secret are the organisation's, for its owners and admins", async () => {
  const { owner, member } = acme.people;
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  const { key } = await owner.ask<{ key: string }>("POST", scoped("/api/token"), {
    name: "hooked",
    unlimited: true,
  });
  const body = { model, prompt, duration: 4, callback_url: url };
  const id = idOf(await create(gateway, body, { key }));
  await reaches(gateway, id, "completed", key);
  const delivery = await eventually("the callback", async () => {
    const { items } = await owner.ask<Listed>("GET", `/api/webhook/self?task=${id}&${acme.as}`);
    return items.find(({ delivered_at: at }) => at !== null);
  });
  const at = `/api/webhook/self/${String(delivery["id"])}`;
  expect(await owner.ask("GET", scoped(at))).toMatchObject({ task_id: id });
  expect(await owner.call("GET", at)).toMatchObject({ code: "not_found" });
  expect(await member.call("GET", scoped(at))).toMatchObject({ code: "permission_denied" });
  const before = calls;
  await owner.ask("POST", scoped(`${at}/replay`));
  await eventually("it again", async () => (calls > before ? true : undefined));
  expect(await owner.ask("POST", scoped("/api/webhook/test"), { url })).toMatchObject({
    status: 204,
  });
  const secret = async (path: string) => (await owner.ask<{ secret: string }>("GET", path)).secret;
  const ofScope = await secret(scoped("/api/webhook-secret"));
  expect(await secret("/api/webhook-secret")).not.toBe(ofScope);
  const rotated = await owner.ask("POST", scoped("/api/webhook-secret"));
  expect(rotated).toMatchObject({ overlaps: true });
  expect(await secret(scoped("/api/webhook-secret"))).not.toBe(ofScope);
});
