// The fields of a legacy completion request that must have a certain type. Unknown fields pass.
import { compile, Type } from "../../core/schema.ts";
import { nullable, samplingFields } from "../kit/openai-fields.ts";

export const completionsRequest = compile(
  Type.Object({
    ...samplingFields,
    prompt: Type.Unsafe<unknown>({ type: ["string", "array"] }),
    best_of: nullable("integer", { minimum: 1, maximum: 128 }),
    echo: nullable("boolean"),
    suffix: nullable("string"),
    logprobs: nullable("integer", { minimum: 0 }),
  }),
);
