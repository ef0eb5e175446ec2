// Shows what the published price list would change, and takes it over. Own prices stay.
import { listVersion } from "../../catalogue/lists/price-list.ts";
import type { JsonObject } from "../../core/json.ts";
import { compile, parseWith, Type } from "../../core/schema.ts";
import type { Operator } from "../../identity/caller.ts";
import { writeListRows } from "../../quota/queries.ts";
import { noting } from "../audit/entry.ts";
import type { PriceSync } from "../contract.ts";
import { inTurn } from "../in-turn.ts";
import type { PriceNeeds } from "./needs.ts";
import { proposePrices } from "./propose.ts";

const list = `genai-prices ${listVersion}`;

export const SyncInput = Type.Object(
  {
    models: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        maxItems: 10_000,
        description: "Default: all that channels serve.",
      }),
    ),
    new_only: Type.Optional(
      Type.Boolean({ description: "Only models that have no price yet, so that none changes." }),
    ),
  },
  { additionalProperties: false },
);
const checker = compile(SyncInput);

export async function showSync(
  needs: PriceNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<PriceSync> {
  const models = query.get("models")?.split(",").filter(Boolean) ?? null;
  const proposals = await proposePrices(needs, models);
  return { list, changes: proposals.map(({ change }) => change) };
}

export async function applySync(
  needs: PriceNeeds,
  operator: Operator,
  body: JsonObject,
): Promise<PriceSync> {
  const { models = null, new_only: isNewOnly = false } = parseWith(checker, body);
  return await inTurn(needs, "prices", async () => {
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
