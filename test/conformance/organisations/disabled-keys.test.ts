// Keys that were disabled by whoever has more rights: nobody with fewer enables them.
import { beforeAll, expect, test } from "bun:test";
import { idOf, newCompany, newPerson, type Company } from "../../harness/accounts/organisation.ts";
import type { Browser } from "../../harness/browser.ts";
import { startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const gateway = useStand(() => startGateway());
let acme: Company;

interface Key {
  id: string;
  key: string;
  status: string;
  disabled_by: string | null;
}

beforeAll(async () => {
  acme = await newCompany(gateway, "acme");
});

const newKey = async (by: Browser, query = "") =>
  await by.ask<Key>("POST", `/api/token?${query}`, { name: "k", unlimited: true });

async function turn(by: Browser, id: string, status: string, query: string = acme.as) {
  return await by.call("PATCH", `/api/token/${id}?${query}`, { status });
}

const byLeaders = {
  success: false,
  code: "permission_denied",
  param: "status",
  message: "An owner or admin disabled this key; ask them.",
};
const byGateway = {
  ...byLeaders,
  message: "Those who run the gateway disabled this key; ask them.",
};

test("O8 a member enables again what it disabled itself", async () => {
  const { member } = acme.people;
  const { id } = await newKey(member, acme.as);
  for (const status of ["disabled", "enabled"]) {
    const changed = await turn(member, id, status);
    expect(changed.data).toMatchObject({ status, disabled_by: null });
  }
});

test("O8 a member does not enable a key that an admin disabled, nor by disabling it again", async () => {
  const { member, admin, owner } = acme.people;
  const { id, key } = await newKey(member, acme.as);
  const disabled = await turn(admin, id, "disabled");
  expect(disabled.data).toMatchObject({ status: "disabled", disabled_by: "organisation" });
  expect(await turn(member, id, "enabled")).toMatchObject(byLeaders);
  expect(await turn(member, id, "disabled")).toMatchObject({ success: true });
  const renamed = await member.call("PATCH", `/api/token/${id}?${acme.as}`, { name: "again" });
  expect(renamed.data).toMatchObject({ name: "again", disabled_by: "organisation" });
  expect(await turn(member, id, "enabled")).toMatchObject(byLeaders);
  expect((await gateway.get("/v1/models", key)).status).toBe(401);
  expect((await turn(owner, id, "enabled")).data).toMatchObject({ disabled_by: null });
  expect((await gateway.get("/v1/models", key)).status).toBe(200);
});

test("O8 an admin's word holds over a key that its member had disabled before", async () => {
  const { member, admin } = acme.people;
  const { id } = await newKey(member, acme.as);
  await turn(member, id, "disabled");
  await turn(admin, id, "disabled");
  expect(await turn(member, id, "enabled")).toMatchObject(byLeaders);
});

test("O8 nobody in an organisation enables what the gateway disabled", async () => {
  const { member, admin, owner } = acme.people;
  const { id } = await newKey(member, acme.as);
  await gateway.control("PATCH", `/api/token/${id}`, { status: "disabled" });
  for (const by of [admin, owner]) {
    expect(await turn(by, id, "disabled")).toMatchObject({ success: true });
  }
  for (const by of [member, admin, owner]) {
    expect(await turn(by, id, "enabled")).toMatchObject(byGateway);
  }
  const enabled = await gateway.control("PATCH", `/api/token/${id}`, { status: "enabled" });
  expect(enabled).toMatchObject({ status: "enabled", disabled_by: null });
});

test("O8 an account does not enable a key that support disabled, and an admin does", async () => {
  const ann = await newPerson(gateway, "ann");
  const support = await newPerson(gateway, "helena");
  await gateway.control("PATCH", `/api/user/${await idOf(support)}`, { role: "support" });
  await support.signIn("helena");
  const { id } = await newKey(ann);
  const disabled = await turn(support, id, "disabled", "");
  expect(disabled.data).toMatchObject({ status: "disabled", disabled_by: "gateway" });
  expect(await turn(ann, id, "enabled", "")).toMatchObject(byGateway);
  await gateway.control("PATCH", `/api/token/${id}`, { status: "enabled" });
  expect((await turn(ann, id, "disabled", "")).data).toMatchObject({ disabled_by: null });
  expect((await turn(ann, id, "enabled", "")).data).toMatchObject({ status: "enabled" });
});
