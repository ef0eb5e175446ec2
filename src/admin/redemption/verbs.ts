// What is done with codes for credit, and what the reference says of it.
import { word } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import { removed } from "../contract/basics.ts";
import { byName } from "../search.ts";
import { verbsOf } from "../verb.ts";
import { CreatedRedemption, RedeemedView, redemptionStatuses, RedemptionView } from "./contract.ts";
import { createRedemptions, redemptionChecker } from "./create.ts";
import { listRedemptionViews } from "./list.ts";
import { redeem, redeemChecker } from "./redeem.ts";
import { removeRedemption } from "./remove.ts";

const { list, verb } = verbsOf("Redemption codes");

export const redemptionVerbs = {
  list: list("List redemption codes", RedemptionView, listRedemptionViews, {
    ...byName,
    status: { schema: word(...redemptionStatuses) },
  }),
  create: verb("Create redemption codes", "body", createRedemptions, {
    description: "The answer is the only time that they are seen.",
    body: {
      schema: redemptionChecker.schema,
      example: { name: "November", micros: 1_000_000, count: 2 },
    },
    answer: Type.Object({ items: Type.Array(CreatedRedemption) }),
  }),
  remove: verb("Delete a redemption code", "id", removeRedemption, { answer: removed }),
  redeem: verb("Redeem a code", "body", redeem, {
    body: { schema: redeemChecker.schema, example: { code: "rc-example" } },
    answer: RedeemedView,
  }),
};
