// Requests of the tests of real clients: a tool, a shape, a picture, and the proofs of thinking.
import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import type { Dialect } from "../../src/formats/exchange.ts";

/** Schema of a tool's input, and of an answer of a given shape. */
export const placeSchema = {
  type: "object" as const,
  properties: { city: { type: "string" as const } },
  required: ["city"],
  additionalProperties: false as const,
};

/** Three by two pixels. */
export const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAADklEQVR4nGM4AQMMcBYAjLQOETxAoQ8AAAAASUVORK5CYII=";
export const pngUrl = `data:image/png;base64,${png}`;
export const pngSeen = "I see an image of type image/png, 3 by 2 pixels.";
export const farImage = "https://images.example/lighthouse.png";

/** Field of each dialect for what a vendor wants back of its thinking. */
const proofFields: Readonly<Record<Dialect, string>> = {
  chat: "reasoning_content",
  responses: "encrypted_content",
  messages: "signature",
  content: "thoughtSignature",
};

/** Google takes it for calls that nobody signed. */
const noProof = "skip_thought_signature_validator";

/** The proofs in a request to a vendor of this dialect. */
export function proofsIn(body: JsonObject | undefined, dialect: Dialect): string[] {
  return valuesOf(body, proofFields[dialect]).filter((proof) => proof !== noProof);
}

function valuesOf(value: Json | undefined, name: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesOf(item, name));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name && typeof inner === "string" ? [inner] : valuesOf(inner, name),
  );
}
