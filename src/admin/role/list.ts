// The roles: those that are always there, and those made of permissions.
import type { Operator } from "../../identity/caller.ts";
import { builtInRoles, builtInWords, isBuiltIn } from "../../identity/roles/permissions.ts";
import { countHolders, readRoleRows, type RoleRow } from "../../identity/roles/queries.ts";
import { areAmong, readPermissions } from "../../identity/roles/rights.ts";
import type { Database } from "../../store/database.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { toSeconds } from "../input.ts";
import { cutPage, pageOf } from "../page.ts";
import type { RoleCalls, RoleView } from "./contract.ts";

interface RoleNeeds {
  database: Database;
}

export async function listRoles(
  { database }: RoleNeeds,
  operator: Operator,
  { query }: InputOf<RoleCalls["list"]>,
): Promise<Listed<RoleView>> {
  const { q: prefix = "" } = query;
  const people = await countHolders(database);
  const own = (await readRoleRows(database)).map((row) => viewRole(row, operator, people));
  const all = [...builtIns(operator, people), ...own];
  return cutPage(
    pageOf(query),
    all.filter(({ name }) => name.startsWith(prefix.toLowerCase())),
  );
}

type Holders = ReadonlyMap<string, number>;

function builtIns(operator: Operator, people: Holders): RoleView[] {
  return Object.keys(builtInRoles)
    .filter(isBuiltIn)
    .map((name) => {
      const facts = { name, description: builtInWords[name], permissions: builtInRoles[name] };
      return toView({ ...facts, built_in: true, created_at: null }, operator, people);
    });
}

export function viewRole(row: RoleRow, operator: Operator, people: Holders): RoleView {
  const { name, description, created_at_ms: at } = row;
  const permissions = readPermissions(row.permissions);
  const facts = { name, description, permissions, built_in: false, created_at: toSeconds(at) };
  return toView(facts, operator, people);
}

type Facts = Omit<RoleView, "people" | "gives" | "permissions"> & {
  permissions: readonly RoleView["permissions"][number][];
};

function toView(facts: Facts, { role, may }: Operator, people: Holders): RoleView {
  const { name } = facts;
  const isReached = areAmong(facts.permissions, may) && (name !== "root" || role === "root");
  return {
    ...facts,
    permissions: [...facts.permissions],
    people: people.get(name) ?? 0,
    gives: may.has("roles.write") && isReached,
  };
}
