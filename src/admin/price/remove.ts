// Takes a model's own price away.
import type { Operator } from "../../identity/caller.ts";
import { deletePrice, readPrices } from "../../quota/queries.ts";
import { brief } from "../audit/changes.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing } from "../input.ts";
import type { PriceCalls } from "./contract.ts";
import type { PriceNeeds } from "./needs.ts";

/** The model goes back to the catalogue's price, or to none. */
export async function removePrice(
  needs: PriceNeeds,
  operator: Operator,
  { query: { model } }: InputOf<PriceCalls["remove"]>,
): Promise<{ model: string }> {
  return await exclusively(needs, "prices", async () => {
    const before = existing((await readPrices(needs.database)).find((row) => row.model === model));
    const changes = brief(JSON.parse(before.document));
    const note = { action: "price.remove", target: model, changes } as const;
    const { database } = noting(needs, operator, note);
    await deletePrice(database, model);
    await needs.reload.prices();
    return { model };
  });
}
