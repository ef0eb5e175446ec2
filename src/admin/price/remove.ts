// Takes a model's own price away.
import { invalid } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { deletePrice, readPrices } from "../../quota/queries.ts";
import { brief } from "../audit/changes.ts";
import { noting } from "../audit/entry.ts";
import { inTurn } from "../in-turn.ts";
import { existing } from "../input.ts";
import type { PriceNeeds } from "./needs.ts";

/** The model goes back to the catalogue's price, or to none. */
export async function removePrice(
  needs: PriceNeeds,
  operator: Operator,
  query: URLSearchParams,
): Promise<{ model: string }> {
  const model = query.get("model");
  if (model === null || model === "") throw invalid("model", "is required");
  return await inTurn(needs, "prices", async () => {
    const before = existing((await readPrices(needs.database)).find((row) => row.model === model));
    const changes = brief(JSON.parse(before.document));
    const note = { action: "price.remove", target: model, changes } as const;
    const { database } = noting(needs, operator, note);
    await deletePrice(database, model);
    await needs.reload.prices();
    return { model };
  });
}
