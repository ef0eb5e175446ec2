// The tables of docs/people.md: what each permission lets one do, and which roles have it.
import {
  builtInRoles,
  builtInWords,
  isBuiltIn,
  permissions,
  permissionWords,
} from "../../src/identity/roles/permissions.ts";
import { layOut } from "./conversion-table.ts";

const names = Object.keys(builtInRoles).filter(isBuiltIn);
/** Roles that differ from row to row: a user has none, and root all. */
const compared = names.filter((name) => name !== "user" && name !== "root");

export function rolesTables(): string {
  const roles = names.map((name) => [`\`${name}\``, builtInWords[name]]);
  const rows = permissions.map((permission) => [
    `\`${permission}\``,
    permissionWords[permission],
    ...compared.map((name) => (builtInRoles[name].some((one) => one === permission) ? "yes" : "")),
  ]);
  const heads = ["Permission", "What it lets one do", ...compared.map((name) => `\`${name}\``)];
  return [layOut([["Role", "What it is for"], ...roles]), layOut([heads, ...rows])].join("\n\n");
}
