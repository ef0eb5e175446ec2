// Bodies of PATCH (RFC 7396): each field may be left out, and null takes out one that may be
// missing. The merged whole is judged by the function.
import { invalid } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import type { BodyEntry } from "../core/reference-entry.ts";
import { orNull } from "../core/schema-words.ts";
import { compile, mayBeMissing, parseWith, Type } from "../core/schema.ts";
import type { Static, TOptional, TSchema } from "../core/schema.ts";
import type { CallBody } from "./call.ts";
import { assertWord } from "./parse-query.ts";

type Fields = Readonly<Record<string, TSchema>>;
/** Null where the field may be missing. */
type PatchOf<Of extends Fields> = {
  [Name in keyof Of]?: Static<Of[Name]> | (Of[Name] extends TOptional ? null : never);
};

interface PatchFacts<Words extends Fields> {
  example: BodyEntry["example"];
  /** Enums that can be changed but are not fields of the whole, such as a status. */
  words?: Words;
  /** Order of the fields in the reference. */
  order?: readonly string[];
}

export function patchOf<const Of extends Fields, const Words extends Fields = Record<never, never>>(
  properties: Of,
  { example, words, order = Object.keys({ ...properties, ...words }) }: PatchFacts<Words>,
): CallBody<PatchOf<Of> & { [Name in keyof Words]?: Static<Words[Name]> }> & { schema: TSchema } {
  const clearable = Object.keys(properties).filter((name) => mayBeMissing(properties[name] ?? {}));
  const shown = order.map((name): [string, TSchema] => {
    const field = properties[name] ?? words?.[name] ?? Type.Unknown();
    return [name, clearable.includes(name) ? orNull(field) : field];
  });
  const partial = Type.Partial(Type.Object({ ...properties }));
  const checker = compile({ ...partial, additionalProperties: false });
  // A fault inside a union is reported as one of the union, so nulls are dropped before the check.
  function parse(body: JsonObject) {
    const fields = Object.entries(body).filter(([name]) => words?.[name] === undefined);
    const cleared = fields.find(
      ([name, value]) => value === null && name in properties && !clearable.includes(name),
    );
    if (cleared) throw invalid(cleared[0], "is required");
    for (const [name, schema] of Object.entries(words ?? {})) assertWord(name, schema, body[name]);
    parseWith(checker, Object.fromEntries(fields.filter(([, value]) => value !== null)));
    return body as PatchOf<Of> & { [Name in keyof Words]?: Static<Words[Name]> };
  }
  return { schema: Type.Partial(Type.Object(Object.fromEntries(shown))), example, parse };
}
