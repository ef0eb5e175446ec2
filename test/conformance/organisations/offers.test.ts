// Invitations into an organisation tell whoever holds one what they offer, before they are taken.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { newCompany, newPerson, type Company } from "../../harness/accounts/organisation.ts";
import type { Browser } from "../../harness/browser.ts";
import { startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";

setDefaultTimeout(60_000);

const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\n' }));
const offerPath = "/api/organisation/join/offer";
let acme: Company;
let bob: Browser;

beforeAll(async () => {
  acme = await newCompany(gateway, "acme");
  bob = await newPerson(gateway, "bob");
});

async function newCode(by: Browser, role: string): Promise<string> {
  return (await by.ask<{ code: string }>("POST", `/api/invitation?${acme.as}`, { role })).code;
}

test("an offer names the organisation, the role and who invites, and is still there to take", async () => {
  const code = await newCode(acme.people.owner, "viewer");
  const offer = { organisation: "acme", role: "viewer", invited_by: "acme-owner" };
  expect(await bob.ask("POST", offerPath, { code })).toEqual(offer);
  expect(await bob.ask("POST", offerPath, { code })).toEqual(offer);
  const joined = await bob.ask("POST", "/api/organisation/join", { code });
  expect(joined).toMatchObject({ name: "acme", role: "viewer" });
});

test("a code that brings nobody in tells nothing, and visitors are told nothing", async () => {
  const refusal = (await bob.call("POST", offerPath, { code: "inv-nothing" })).message;
  const used = await newCode(acme.people.owner, "admin");
  await (await newPerson(gateway, "eve")).ask("POST", "/api/organisation/join", { code: used });
  expect(await bob.call("POST", offerPath, { code: used })).toMatchObject({
    success: false,
    message: refusal,
  });
  const ofAdmin = await newCode(acme.people.admin, "member");
  const { owner } = acme.people;
  await owner.ask("DELETE", `/api/organisation/${acme.id}/member/${acme.ids.admin}`);
  expect(await bob.call("POST", offerPath, { code: ofAdmin })).toMatchObject({
    success: false,
    message: refusal,
  });
  const general = await gateway.control<{ code: string }>("POST", "/api/invitation", {});
  expect(await bob.call("POST", offerPath, { code: general.code })).toMatchObject({
    success: false,
    message: refusal,
  });
  const good = await newCode(owner, "member");
  const visitor = await fetch(gateway.url + offerPath, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: good }),
  });
  expect(JSON.stringify(await visitor.json())).not.toContain("acme");
});
