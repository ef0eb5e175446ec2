// Founding of the demo's organisations: everybody takes an invitation, and makes the keys there.
import type { Client } from "./client.ts";
import { dollarMicros } from "./company.ts";
import { organisations, type OrganisationPlan, type SeatKeyPlan } from "./organisations.ts";

/** Their ids by name. */
export async function foundOrganisations(client: Client): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const plan of organisations) ids.set(plan.name, await found(client, plan));
  return ids;
}

async function found(client: Client, plan: OrganisationPlan): Promise<string> {
  const { name, owner: username, group, dollars, displayName } = plan;
  const made = { name, owner: username };
  const { id } = await client.control<{ id: string }>("POST", "/api/organisation", made);
  await client.control("PATCH", `/api/user/${id}`, { group });
  const credit = { micros: dollars * dollarMicros, reason: "Budget of the project" };
  await client.control("POST", `/api/user/${id}/credit`, credit);
  const owner = client.person(username);
  await owner.control("PATCH", `/api/user/self?as=${id}`, {
    display_name: displayName,
    low_balance_micros: dollarMicros,
  });
  await invite(client, plan, id);
  await open(owner, plan, id);
  for (const key of plan.keys) await makeKey(client, key, { id, name });
  return id;
}

/** Those who take theirs, and those that stay open. */
async function invite(
  client: Client,
  { owner, seats, invitations }: OrganisationPlan,
  id: string,
): Promise<void> {
  const path = `/api/invitation?as=${id}`;
  for (const { username, role } of seats) {
    const made = { role, note: username };
    const { code } = await client.person(owner).control<{ code: string }>("POST", path, made);
    await client.person(username).control("POST", "/api/organisation/join", { code });
  }
  for (const made of invitations) await client.person(owner).control("POST", path, made);
}

async function open(
  owner: Client,
  { projects, endedProject, rules }: OrganisationPlan,
  organisation: string,
): Promise<void> {
  const path = `/api/organisation/${organisation}`;
  await owner.control("PATCH", path, { key_rules: rules });
  for (const name of projects) {
    const { id } = await owner.control<{ id: string }>("POST", `${path}/project`, { name });
    if (name !== endedProject) continue;
    await owner.control("PATCH", `${path}/project/${id}`, { status: "disabled" });
  }
}

async function makeKey(
  client: Client,
  { by, name, project, isService, fields = { unlimited: true } }: SeatKeyPlan,
  organisation: { id: string; name: string },
): Promise<void> {
  const made = { name, project, ...fields, ...(isService && { service: true }) };
  const path = `/api/token?as=${organisation.id}`;
  const { key } = await client.person(by).control<{ key: string }>("POST", path, made);
  client.keep(organisation.name, name, key);
}
