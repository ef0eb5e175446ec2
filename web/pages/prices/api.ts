// Shapes of the API that are not in the contract of this branch.
import type { PriceInput } from "../../../src/admin/contract.ts";

/** What `POST /api/price/batch` answers. */
export interface PriceBatch {
  applied: boolean;
  changes: {
    model: string;
    kind: "new" | "changed" | "same" | "removed" | "replaces_catalogue";
    declared: boolean;
    before: PriceInput | null;
    after: PriceInput | null;
  }[];
}
