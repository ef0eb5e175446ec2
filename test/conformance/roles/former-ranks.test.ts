// User, admin and root keep the rights that they had as ranks, route by route.
import { expect, test } from "bun:test";
import { builtInRoles } from "../../../src/identity/roles/permissions.ts";
import { nameOf, routes } from "../../harness/route-table.ts";
import { forAdmins, forRoot, forUsers } from "./former-ranks.ts";

const control = new Map(
  routes.flatMap((route) => (route.policy === "control" ? [[nameOf(route), route]] : [])),
);

function rolesWith(name: string): string[] {
  const route = control.get(name);
  if (!route) return ["the route is gone"];
  const { permission } = route;
  return (["user", "admin", "root"] as const).filter(
    (role) => permission === undefined || builtInRoles[role].some((one) => one === permission),
  );
}

test.each([
  [forUsers, ["user", "admin", "root"]],
  [forAdmins, ["admin", "root"]],
  [forRoot, ["root"]],
])("U3 hazard G5 the three roles that were ranks open what they opened", (names, roles) => {
  expect(names.length).toBeGreaterThan(2);
  expect(names.map((name) => [name, rolesWith(name)])).toEqual(names.map((name) => [name, roles]));
});

test("hazard G5 each role between them has less than an admin, but for the link of support", () => {
  const admin = new Set<string>(builtInRoles.admin);
  const beyond = (role: "support" | "billing" | "read-only") =>
    builtInRoles[role].filter((permission) => !admin.has(permission));
  expect([beyond("support"), beyond("billing"), beyond("read-only")]).toEqual([
    ["sign_in_links.make"],
    [],
    [],
  ]);
});
