// Makes, changes and deletes roles. A change holds from the next call of everybody who has it.
import { GatewayError } from "../../core/errors.ts";
import type { Authenticator } from "../../identity/authenticate.ts";
import type { Operator } from "../../identity/caller.ts";
import { isBuiltIn } from "../../identity/roles/permissions.ts";
import {
  countHolders,
  deleteRole,
  findRole,
  insertRole,
  updateRole,
  type RoleRow,
} from "../../identity/roles/queries.ts";
import { readPermissions } from "../../identity/roles/rights.ts";
import { changesOf } from "../audit/changes.ts";
import { noting, type NotingNeeds } from "../audit/entry.ts";
import { assertWithin } from "../authority.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing } from "../input.ts";
import type { RoleCalls, RoleView } from "./contract.ts";
import { viewRole } from "./list.ts";

interface RoleNeeds extends NotingNeeds {
  authenticator: Authenticator;
}

export async function createRole(
  needs: RoleNeeds,
  operator: Operator,
  { body: { name, description = "", permissions } }: InputOf<RoleCalls["create"]>,
): Promise<RoleView> {
  assertWithin(operator, permissions, "permissions");
  return await exclusively(needs, "identity", async () => {
    if (isBuiltIn(name) || (await findRole(needs.database, name))) {
      const message = `There is already a role of the name ${name}.`;
      throw new GatewayError("conflict", { message, param: "name" });
    }
    const changes = { description, permissions };
    const { database } = noting(needs, operator, { action: "role.create", target: name, changes });
    const row = {
      name,
      description,
      permissions: JSON.stringify(permissions),
      created_at_ms: needs.clock.nowMs(),
    };
    await insertRole(database, row);
    return viewRole(row, operator, new Map());
  });
}

export async function changeRole(
  needs: RoleNeeds,
  operator: Operator,
  { id: name, body }: InputOf<RoleCalls["change"]>,
): Promise<RoleView> {
  return await exclusively(needs, "identity", async () => {
    const before = await findChangeable(needs, operator, name);
    const { permissions = readPermissions(before.permissions) } = body;
    const description =
      body.description === undefined ? before.description : (body.description ?? "");
    assertWithin(operator, permissions, "permissions");
    const after = { ...before, description, permissions: JSON.stringify(permissions) };
    const changes = changesOf(factsOf(before), factsOf(after));
    const { database } = noting(needs, operator, { action: "role.change", target: name, changes });
    await updateRole(database, name, { description, permissions: after.permissions });
    // Callers know whether they may name a channel.
    needs.authenticator.forget();
    return viewRole(after, operator, await countHolders(needs.database));
  });
}

function factsOf({ description, permissions }: RoleRow) {
  return { description, permissions: readPermissions(permissions) };
}

/** A role beyond one's own rights is not one's to take from, either. */
async function findChangeable(
  { database }: RoleNeeds,
  operator: Operator,
  name: string,
): Promise<RoleRow> {
  if (isBuiltIn(name)) {
    const message = `The role ${name} comes with the gateway and stays as it is.`;
    throw new GatewayError("conflict", { message });
  }
  const row = existing(await findRole(database, name));
  assertWithin(operator, readPermissions(row.permissions), "permissions");
  return row;
}

/** Nobody may have it: they would be without rights from one call to the next. */
export async function removeRole(
  needs: RoleNeeds,
  operator: Operator,
  { id: name }: { id: string },
): Promise<{ name: string }> {
  return await exclusively(needs, "identity", async () => {
    await findChangeable(needs, operator, name);
    const people = (await countHolders(needs.database)).get(name) ?? 0;
    if (people > 0) {
      const message = `The role cannot be deleted while accounts have it (${people}).`;
      throw new GatewayError("conflict", { message });
    }
    const { database } = noting(needs, operator, { action: "role.remove", target: name });
    await deleteRole(database, name);
    return { name };
  });
}
