// A field of a request as forms offer it: what may be chosen, or from what to what a number goes.

export interface FamilyField {
  /** The field's name in a request. */
  name: string;
  type: "text" | "number" | "truth";
  /** The values it may have; where it is open, only some of them. */
  values: readonly string[];
  isOpen: boolean;
  /** Bounds of a number that may be any between. */
  range: { min: number; max: number } | null;
  /** The value where it is left out; null where the vendor decides. */
  usual: string | null;
  isRequired: boolean;
}
