// The fields of a family as forms offer them. They are made of what its requests are read by, so
// that a form offers what is taken and nothing else.
import type { FamilyField } from "../field.ts";
import { seedRange, type Range } from "./fields.ts";
import { sixRatios, usualResolutions } from "./shape.ts";

type Rest = Partial<Omit<FamilyField, "name" | "values" | "range">>;

const plain = { values: [], isOpen: false, range: null, usual: null, isRequired: false };

/** One of these. */
export function choice(name: string, values: readonly string[], rest: Rest = {}): FamilyField {
  return { ...plain, name, type: "text", values, ...rest };
}

/** These, or something like them. */
export function openChoice(name: string, values: readonly string[]): FamilyField {
  return choice(name, values, { isOpen: true });
}

export function number(name: string, range: Range, rest: Rest = {}): FamilyField {
  return { ...plain, name, type: "number", range, ...rest };
}

export function seconds(range: Range, usual: number | null, rest: Rest = {}): FamilyField {
  return number("seconds", range, { usual: usual === null ? null : String(usual), ...rest });
}

function truth(name: string): FamilyField {
  return { ...plain, name, type: "truth", values: ["true", "false"] };
}

export const anyRatio = openChoice("aspect_ratio", sixRatios);
export const anyResolution = openChoice("resolution", usualResolutions);
export const seed = number("seed", seedRange);
export const negativePrompt = openChoice("negative_prompt", []);
export const audio = truth("generate_audio");
export const watermark = truth("watermark");
