import type { PriceInput } from "../../config/entities.ts";
import { deletePrice, readPrices, writePrice } from "../../quota/queries.ts";
import { reloadPrices, type ControlParts } from "../parts.ts";
import { agrees } from "./agrees.ts";

export async function applyPrices(
  parts: ControlParts,
  prices: readonly PriceInput[],
): Promise<void> {
  const rows = new Map((await readPrices(parts.database)).map((row) => [row.model, row]));
  for (const input of prices) {
    const wanted = { model: input.model, document: JSON.stringify(input), declared: 1 } as const;
    const before = rows.get(input.model);
    if (!before || !agrees(before, wanted)) await writePrice(parts.database, wanted);
    rows.delete(input.model);
  }
  for (const { model, declared } of rows.values()) {
    if (declared === 1) await deletePrice(parts.database, model);
  }
  await reloadPrices(parts);
}
