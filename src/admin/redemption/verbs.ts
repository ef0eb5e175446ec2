// What is done with codes for credit, and what the reference says of it.
import { Type } from "../../core/schema.ts";
import { listOf, pages, removed } from "../contract/basics.ts";
import { verb } from "../verb.ts";
import { CreatedRedemption, RedeemedView, RedemptionView } from "./contract.ts";
import { createRedemptions, redemptionChecker } from "./create.ts";
import { listRedemptionViews } from "./list.ts";
import { redeem, redeemChecker } from "./redeem.ts";
import { removeRedemption } from "./remove.ts";

const tag = "Redemption codes";

export const redemptions = {
  list: verb({
    tag,
    summary: "List redemption codes",
    takes: "query",
    query: pages,
    answer: listOf(RedemptionView),
    run: listRedemptionViews,
  }),
  create: verb({
    tag,
    summary: "Create redemption codes",
    description: "The answer is the only time that they are seen.",
    takes: "body",
    body: {
      schema: redemptionChecker.schema,
      example: { name: "November", micros: 1_000_000, count: 2 },
    },
    answer: Type.Object({ items: Type.Array(CreatedRedemption) }),
    run: createRedemptions,
  }),
  remove: verb({
    tag,
    summary: "Delete a redemption code",
    takes: "id",
    answer: removed,
    run: removeRedemption,
  }),
  redeem: verb({
    tag,
    summary: "Redeem a code",
    takes: "body",
    body: { schema: redeemChecker.schema, example: { code: "rc-example" } },
    answer: RedeemedView,
    run: redeem,
  }),
};
