// Upserts a virtual model.
import { readVirtualModels, writeVirtualModel } from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { changesOf } from "../audit/changes.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import type { VirtualModelCalls, VirtualModelView } from "./contract.ts";
import { assertFits } from "./judge.ts";
import type { VirtualModelNeeds } from "./needs.ts";
import { toInput, toRow, toView } from "./row.ts";

/** Upsert by name: the whole of it is replaced. */
export async function setVirtualModel(
  needs: VirtualModelNeeds,
  operator: Operator,
  { body: input }: InputOf<VirtualModelCalls["write"]>,
): Promise<VirtualModelView> {
  return await exclusively(needs, "virtual models", async () => {
    const rows = await readVirtualModels(needs.database);
    await assertFits(needs, input, rows);
    const before = rows.find(({ name }) => name === input.name);
    const row = toRow(input, before?.declared ?? 0);
    const changes = changesOf(before ? toInput(before) : null, input);
    const note = { action: "virtual_model.write", target: input.name, changes } as const;
    await writeVirtualModel(noting(needs, operator, note).database, row);
    await needs.reload.virtualModels();
    return toView(row, () => true);
  });
}
