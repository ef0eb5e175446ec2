// Fields of a prediction that is an embedding.
import { isObject, type JsonObject } from "../../core/json.ts";
import { compile, Type } from "../../core/schema.ts";

const words = Type.Optional(Type.Unsafe<unknown>({ type: ["string", "null"] }));

export const predictRequest = compile(
  Type.Object({
    instances: Type.Array(
      Type.Object({ content: Type.String({ minLength: 1 }), task_type: words, title: words }),
      { minItems: 1, maxItems: 250 },
    ),
    parameters: Type.Optional(
      Type.Object({
        outputDimensionality: Type.Optional(
          Type.Unsafe<unknown>({ type: ["integer", "null"], minimum: 1 }),
        ),
        autoTruncate: Type.Optional(Type.Unsafe<unknown>({ type: ["boolean", "null"] })),
      }),
    ),
  }),
);

/** The texts that are embedded, each with what is said of it. */
export function instancesIn({
  instances,
}: JsonObject): { instance: JsonObject; content: string }[] {
  return (Array.isArray(instances) ? instances : []).flatMap((instance) => {
    const content = isObject(instance) ? instance["content"] : null;
    return isObject(instance) && typeof content === "string" ? [{ instance, content }] : [];
  });
}
