// Sets a model's own price.
import type { Operator } from "../../identity/caller.ts";
import { readPrices, writePrice as writeRow } from "../../quota/queries.ts";
import { changesOf } from "../audit/changes.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import type { PriceCalls, PriceView } from "./contract.ts";
import { toView } from "./list.ts";
import type { PriceNeeds } from "./needs.ts";

/** Sets the model's own price, whole: what is not named is not kept. */
export async function setPrice(
  needs: PriceNeeds,
  operator: Operator,
  { body: input }: InputOf<PriceCalls["write"]>,
): Promise<PriceView> {
  return await exclusively(needs, "prices", async () => {
    const before = (await readPrices(needs.database)).find(({ model }) => model === input.model);
    const document = JSON.stringify(input);
    const row = { model: input.model, document, declared: before?.declared ?? 0 };
    const changes = changesOf(before ? JSON.parse(before.document) : null, input);
    const note = { action: "price.write", target: input.model, changes } as const;
    const { database } = noting(needs, operator, note);
    await writeRow(database, row);
    await needs.reload.prices();
    return toView(row);
  });
}
