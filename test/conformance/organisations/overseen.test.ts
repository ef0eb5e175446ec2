// Sight that those who run the gateway have of an organisation that they are not in.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { newCompany, newPerson, type Company } from "../../harness/accounts/organisation.ts";
import { Browser, password } from "../../harness/browser.ts";
import { startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";

setDefaultTimeout(60_000);

const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\n' }));
let acme: Company;
let desk: Browser;

beforeAll(async () => {
  acme = await newCompany(gateway, "acme");
  const project = `/api/organisation/${acme.id}/project`;
  await acme.people.owner.ask("POST", project, { name: "research" });
  await gateway.control("POST", "/api/role", { name: "desk", permissions: ["people.read"] });
  await gateway.control("POST", "/api/user", { username: "dora", password, role: "desk" });
  desk = await new Browser(gateway.url).signIn("dora");
});

interface Account {
  kind: string;
  members: number | null;
  projects: number | null;
}

test("an account tells how many members and projects it has, and a person's tells none", async () => {
  const organisation = await desk.ask<Account>("GET", `/api/user/${acme.id}`);
  expect(organisation).toMatchObject({ kind: "organisation", members: 4, projects: 1 });
  const { items } = await desk.ask<{ items: Account[] }>("GET", "/api/user?kind=organisation");
  expect(items).toEqual([expect.objectContaining({ members: 4, projects: 1 })]);
  const person = await desk.ask<Account>("GET", `/api/user/${acme.ids.owner}`);
  expect(person).toMatchObject({ kind: "person", members: null, projects: null });
});

test("who may read accounts reads an organisation's members and projects", async () => {
  const members = await desk.ask("GET", `/api/user/${acme.id}/members`);
  const own = await acme.people.owner.ask("GET", `/api/organisation/${acme.id}/member`);
  expect(members).toEqual(own);
  const projects = await desk.ask("GET", `/api/user/${acme.id}/projects`);
  expect(projects).toMatchObject({ items: [{ name: "research", status: "enabled" }] });
});

test("nobody else reads them there, and reading lets nobody change them", async () => {
  const stranger = await newPerson(gateway, "stranger");
  for (const part of ["members", "projects"]) {
    const path = `/api/user/${acme.id}/${part}`;
    expect((await stranger.call("GET", path)).code).toBe("permission_denied");
    expect((await acme.people.owner.call("GET", path)).code).toBe("permission_denied");
    const ofPerson = `/api/user/${acme.ids.owner}/${part}`;
    expect((await desk.call("GET", ofPerson)).code).toBe("not_found");
  }
  const members = `/api/organisation/${acme.id}/member`;
  expect((await desk.call("GET", members)).code).toBe("not_found");
  const change = { role: "viewer" };
  const changed = await desk.call("PATCH", `${members}/${acme.ids.member}`, change);
  expect(changed.code).toBe("not_found");
});
