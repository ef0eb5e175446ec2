// Deletes a virtual model that no other one has as a member.
import { GatewayError } from "../../core/errors.ts";
import { deleteVirtualModel, readVirtualModels } from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { brief } from "../audit/changes.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing } from "../input.ts";
import type { VirtualModelCalls } from "./contract.ts";
import { servedBy } from "./judge.ts";
import type { VirtualModelNeeds } from "./needs.ts";
import { toInput } from "./row.ts";

export async function removeVirtualModel(
  needs: VirtualModelNeeds,
  operator: Operator,
  { query: { name } }: InputOf<VirtualModelCalls["remove"]>,
): Promise<{ name: string }> {
  return await exclusively(needs, "virtual models", async () => {
    const rows = await readVirtualModels(needs.database);
    const before = existing(rows.find((row) => row.name === name));
    const rest = rows.filter((row) => row !== before);
    const user = rest.find((row) => toInput(row).members.some(({ model }) => model === name));
    if (user && !(await servedBy(needs, rest))(name)) {
      const message = `${user.name} has it as a member, and no channel serves that name.`;
      throw new GatewayError("conflict", { message });
    }
    const changes = brief(toInput(before));
    const note = { action: "virtual_model.remove", target: name, changes } as const;
    await deleteVirtualModel(noting(needs, operator, note).database, name);
    await needs.reload.virtualModels();
    return { name };
  });
}
