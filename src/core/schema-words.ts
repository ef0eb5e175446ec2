// Short words for the schemas of what goes over the wire.
import type { Json } from "./json.ts";
import { Type, type TSchema } from "./schema.ts";

export const text = (description?: string) => Type.String(description ? { description } : {});
export const whole = (description?: string) => Type.Integer(description ? { description } : {});

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** One of a few words. */
export const word = <const Words extends readonly string[]>(...words: Words) =>
  Type.Unsafe<Words[number]>({ type: "string", enum: [...words] });

/** Any JSON. */
export const anything = Type.Unsafe<Json>({});
export const anyObject = Type.Unsafe<{ [name: string]: Json }>({ type: "object" });
