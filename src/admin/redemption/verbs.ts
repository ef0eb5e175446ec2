// Codes for credit: each call with its function.
import { bind } from "../bind.ts";
import { redemptionCalls } from "./contract.ts";
import { createRedemptions } from "./create.ts";
import { listRedemptionViews } from "./list.ts";
import { redeem } from "./redeem.ts";
import { removeRedemption } from "./remove.ts";

export const redemptionVerbs = bind(redemptionCalls, {
  list: listRedemptionViews,
  create: createRedemptions,
  remove: removeRedemption,
  redeem,
});
