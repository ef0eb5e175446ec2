// Shows what the published price list would change, and takes it over. Own prices stay.
import { listVersion } from "../../catalogue/lists/price-list.ts";
import type { Operator } from "../../identity/caller.ts";
import { writeListRows } from "../../quota/queries.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import type { PriceCalls, PriceSync } from "./contract.ts";
import type { PriceNeeds } from "./needs.ts";
import { proposePrices } from "./propose.ts";

const list = `genai-prices ${listVersion}`;

export async function showSync(
  needs: PriceNeeds,
  _operator: Operator,
  { query }: InputOf<PriceCalls["showSync"]>,
): Promise<PriceSync> {
  const models = query.models?.split(",").filter(Boolean) ?? null;
  const proposals = await proposePrices(needs, models);
  return { list, changes: proposals.map(({ change }) => change) };
}

export async function applySync(
  needs: PriceNeeds,
  operator: Operator,
  { body }: InputOf<PriceCalls["sync"]>,
): Promise<PriceSync> {
  const { models = null, new_only: isNewOnly = false } = body;
  return await exclusively(needs, "prices", async () => {
    const all = await proposePrices(needs, models);
    const proposals = isNewOnly ? all.filter(({ change }) => change.kind === "new") : all;
    const changes = proposals.map(({ change }) => change);
    const rows = proposals.flatMap(({ change, row }) =>
      row ? ([[change.model, row]] as const) : [],
    );
    if (rows.length === 0) return { list, changes };
    const priced = changes.filter(({ kind }) => kind === "new" || kind === "changed");
    const noted = Object.fromEntries(priced.map(({ model, kind }) => [model, kind]));
    const note = { action: "price.sync", target: list, changes: noted } as const;
    await writeListRows(noting(needs, operator, note).database, new Map(rows));
    await needs.reload.prices();
    return { list, changes };
  });
}
