// Makes the prices those that the configuration file declares.
import type { PriceInput } from "../../config/entities.ts";
import { deletePrice, readPrices, writePrice } from "../../quota/queries.ts";
import { changesOf } from "../audit/changes.ts";
import { configActor, noting } from "../audit/entry.ts";
import type { DeclaredNeeds } from "./needs.ts";
import { agrees } from "./agrees.ts";

export async function applyPrices(
  needs: DeclaredNeeds,
  prices: readonly PriceInput[],
): Promise<void> {
  const rows = new Map((await readPrices(needs.database)).map((row) => [row.model, row]));
  for (const input of prices) {
    const wanted = { model: input.model, document: JSON.stringify(input), declared: 1 } as const;
    const before = rows.get(input.model);
    rows.delete(input.model);
    if (before && agrees(before, wanted)) continue;
    const changes = changesOf(before ? JSON.parse(before.document) : null, input);
    const note = { action: "price.write", target: input.model, changes } as const;
    await writePrice(noting(needs, configActor, note).database, wanted);
  }
  for (const { model, declared } of rows.values()) {
    if (declared === 0) continue;
    const note = { action: "price.remove", target: model } as const;
    await deletePrice(noting(needs, configActor, note).database, model);
  }
  await needs.reload.prices();
}
