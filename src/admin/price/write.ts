// Sets a model's own price.
import { priceChecker } from "../../config/entity-rules.ts";
import type { JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { Operator } from "../../identity/caller.ts";
import { readPrices, writePrice as writeRow } from "../../quota/queries.ts";
import { changesOf } from "../audit/changes.ts";
import { noting } from "../audit/entry.ts";
import type { PriceView } from "../contract.ts";
import { inTurn } from "../in-turn.ts";
import { toView } from "./list.ts";
import type { PriceNeeds } from "./needs.ts";

/** Sets the model's own price, whole: what is not named is not kept. */
export async function setPrice(
  needs: PriceNeeds,
  operator: Operator,
  body: JsonObject,
): Promise<PriceView> {
  const input = parseWith(priceChecker, body);
  return await inTurn(needs, "prices", async () => {
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
