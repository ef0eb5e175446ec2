// A field of a request as forms offer it: what may be chosen, or from what to what a number goes.

export interface FamilyField {
  /** As a request calls it. */
  name: string;
  type: "text" | "number" | "truth";
  /** What it may say; where it is open, only some of that. */
  values: readonly string[];
  isOpen: boolean;
  /** Of a number that may be any between. */
  range: { min: number; max: number } | null;
  /** What counts where it is left out; null where the vendor decides. */
  usual: string | null;
  isRequired: boolean;
}
