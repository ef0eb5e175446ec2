// Dimensions of the sums over time that a query names.
import type { SlotFilter } from "../../observe/slots/reading/queries.ts";
import type { SlotDimension } from "../../observe/slots/slots.ts";
import type { ShowMargin } from "../usage/sums.ts";

/** Labels are summed by days alone. */
export type SeriesDimension = SlotDimension | "label";

export interface Wanted {
  only: SlotFilter["only"] & Partial<Record<"label", readonly string[]>>;
  by: SeriesDimension | null;
  margin: ShowMargin;
}

/** Null where quarters of an hour do not know what is asked for. */
export function inSlots({ only, by }: Wanted) {
  const { label, ...rest } = only;
  return label !== undefined || by === "label" ? null : { only: rest, by };
}
