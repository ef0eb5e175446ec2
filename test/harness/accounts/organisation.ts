// An organisation of a test with somebody in every seat.
import { Browser, password } from "../browser.ts";
import type { Gateway } from "../gateway.ts";

export const seatRoles = ["owner", "admin", "member", "viewer"] as const;
export type SeatRole = (typeof seatRoles)[number];

export interface Company {
  id: string;
  name: string;
  /** Query by which a call is made in its scope. */
  as: string;
  people: Record<SeatRole, Browser>;
  ids: Record<SeatRole, string>;
}

export async function newPerson(gateway: Gateway, username: string): Promise<Browser> {
  await gateway.control("POST", "/api/user", { username, password });
  return await new Browser(gateway.url).signIn(username);
}

export async function idOf(browser: Browser): Promise<string> {
  return (await browser.ask<{ id: string }>("GET", "/api/user/self")).id;
}

/** Joins by an invitation of somebody who may give one. */
export async function invite(
  by: Browser,
  { as }: Pick<Company, "as">,
  { browser, role }: { browser: Browser; role: SeatRole },
): Promise<void> {
  const body = { role };
  const { code } = await by.ask<{ code: string }>("POST", `/api/invitation?${as}`, body);
  await browser.ask("POST", "/api/organisation/join", { code });
}

export async function newCompany(gateway: Gateway, name: string): Promise<Company> {
  const people = {} as Company["people"];
  const ids = {} as Company["ids"];
  for (const role of seatRoles) {
    people[role] = await newPerson(gateway, `${name}-${role}`);
    ids[role] = await idOf(people[role]);
  }
  const made = await gateway.control<{ id: string }>("POST", "/api/organisation", {
    name,
    owner: `${name}-owner`,
  });
  const company = { id: made.id, name, as: `as=${made.id}`, people, ids };
  for (const role of seatRoles.slice(1)) {
    await invite(people.owner, company, { browser: people[role], role });
  }
  return company;
}
