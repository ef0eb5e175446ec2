// Needs of an import: all that accounts, keys and channels are made with.
import type { Seal } from "../../core/seal.ts";
import type { Operator } from "../../identity/caller.ts";
import type { SecondFactors } from "../../identity/factors/second-factors.ts";
import type { commitTogether } from "../../store/database.ts";
import type { Reload } from "../reload.ts";
import type { UserNeeds } from "../user/needs.ts";
import type { ImportResult } from "./contract.ts";

export interface ImportNeeds extends Omit<UserNeeds, "keyUse" | "limits" | "mail"> {
  seal: Seal;
  reload: Reload;
  secondFactors: SecondFactors;
}

/** The importing account, and the source that the rows' ids count within. */
export interface ImportBy {
  operator: Operator;
  source: string;
}

export type ImportQuery = Parameters<typeof commitTogether>[1][number];
export type ImportOutcome = ImportResult["rows"][number];
