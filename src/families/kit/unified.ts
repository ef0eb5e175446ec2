// The one body of the unified route as a family's own. Most of its names are the family's names too
// or stand beside them; what differs is the prompt, which may be left out, and what `size` means.
import type { JsonObject } from "../../core/json.ts";
import { pick } from "./fields.ts";

/** Yields the family's own fields for a size; what the client said in those fields counts more. */
type SizeReader = (size: string) => JsonObject;

export function fromUnified(body: JsonObject, readSize?: SizeReader): JsonObject {
  const prompt = body["prompt"] ?? "";
  const size = pick(body, ["size"])?.value;
  if (readSize === undefined || typeof size !== "string") return { ...body, prompt };
  const { size: _size, ...rest } = body;
  return { ...readSize(size), ...rest, prompt };
}
