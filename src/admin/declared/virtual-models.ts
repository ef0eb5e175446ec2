// Makes the virtual models those that the configuration file declares.
import { ConfigError } from "../../config/problems.ts";
import type { VirtualModelInput } from "../../config/virtual-model.ts";
import {
  deleteVirtualModel,
  readVirtualModels,
  writeVirtualModel,
} from "../../distribution/queries.ts";
import { changesOf } from "../audit/changes.ts";
import { configActor, noting } from "../audit/entry.ts";
import { misfitOf } from "../virtual-model/judge.ts";
import { toInput, toRow } from "../virtual-model/row.ts";
import { agrees } from "./agrees.ts";
import type { DeclaredNeeds } from "./needs.ts";

/**
 * A member that nothing serves is no reason to refuse a start: its channel may have been removed by
 * hand since. Lists tell of it, and requests pass it over.
 */
export async function applyVirtualModels(
  needs: DeclaredNeeds,
  models: readonly VirtualModelInput[],
): Promise<void> {
  const rows = new Map((await readVirtualModels(needs.database)).map((row) => [row.name, row]));
  const names = new Set(models.map(({ name }) => name));
  const staying = [...rows.values()].filter((row) => row.declared === 0 && !names.has(row.name));
  assertFit(models, staying.map(toInput));
  for (const input of models) {
    const wanted = toRow(input, 1);
    const before = rows.get(input.name);
    rows.delete(input.name);
    if (before && agrees(before, wanted)) continue;
    const changes = changesOf(before ? toInput(before) : null, input);
    const note = { action: "virtual_model.write", target: input.name, changes } as const;
    await writeVirtualModel(noting(needs, configActor, note).database, wanted);
  }
  for (const { name, declared } of rows.values()) {
    if (declared === 0) continue;
    const note = { action: "virtual_model.remove", target: name } as const;
    await deleteVirtualModel(noting(needs, configActor, note).database, name);
  }
  await needs.reload.virtualModels();
}

function assertFit(
  models: readonly VirtualModelInput[],
  staying: readonly VirtualModelInput[],
): void {
  const problems = models.flatMap((input, at) => {
    const misfit = misfitOf(input, [...staying, ...models.filter((one) => one !== input)]);
    return misfit ? [`models.${at}.${misfit.path} ${misfit.message}`] : [];
  });
  if (problems.length > 0) throw new ConfigError(problems);
}
