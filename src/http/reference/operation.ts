// What the reference says of one route besides what its row in the table says already.
import type { Json } from "../../core/json.ts";
import { Type, type Static, type TSchema } from "../../core/schema.ts";

export interface Operation {
  tag: string;
  summary: string;
  description?: string;
  /** By name. */
  query?: Readonly<Record<string, Parameter>>;
  body?: Body;
  /** Of the control plane: what stands in `data`. */
  answer: TSchema | Media;
}

export interface Parameter {
  schema: TSchema;
  description?: string;
  isRequired?: boolean;
}

export interface Body {
  schema: TSchema;
  /** It is sent by the tests, and its answer held against the schema. */
  example: Json;
  /** It may be left out. */
  isOptional?: boolean;
  /** It may also come as a form. */
  isForm?: boolean;
}

/** An answer that is not JSON. */
export interface Media {
  type: string;
  description: string;
}

/** By method and path, as in `GET /v1/models`. */
export type Operations = Readonly<Record<string, Operation>>;

export function isMedia(answer: TSchema | Media): answer is Media {
  return "type" in answer && typeof answer.type === "string" && answer.type.includes("/");
}

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

/** A schema of what a type says, which stops compiling when the two are not the same any more. */
export function shapeOf<View>() {
  return <Schema extends TSchema>(
    schema: Same<Static<Schema>, View> extends true ? Schema : never,
  ): Schema => schema;
}

export const text = (description?: string) => Type.String(description ? { description } : {});
export const whole = (description?: string) => Type.Integer(description ? { description } : {});

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** One of a few words. */
export const word = <const Words extends readonly string[]>(...words: Words) =>
  Type.Unsafe<Words[number]>({ type: "string", enum: [...words] });

/** Whatever else there is. */
export const anything = Type.Unsafe<Json>({});
export const anyObject = Type.Unsafe<{ [name: string]: Json }>({ type: "object" });
