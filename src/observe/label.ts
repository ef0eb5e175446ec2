// A request's own word, by which its use is summed up: a feature, a customer, a run.
import { invalid } from "../core/errors.ts";
import { isObject, type Json } from "../core/json.ts";

const labelHeader = "x-sluice-label";

const fit = /^[\w.:-]{1,64}$/;

/** Labels of an account that have a sum of their own on a day; all others are `other`. */
export const labelsMax = 1000;
export const otherLabels = "other";

/** Throws the 400 that names the header; an empty one says nothing. */
export function readLabel(headers: Headers): string | null {
  const text = headers.get(labelHeader);
  if (text === null || text === "") return null;
  if (fit.test(text)) return text;
  throw invalid(labelHeader, "must be 1 to 64 letters, digits or any of _ . : -");
}

/** Metadata is the client's own, so that what is no label there is no fault either. */
export function labelIn(metadata: Json | undefined): string | null {
  if (!isObject(metadata)) return null;
  const { label } = metadata;
  return typeof label === "string" && fit.test(label) ? label : null;
}
