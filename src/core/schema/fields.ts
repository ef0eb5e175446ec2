// Schemas of objects made of other schemas, field by field.
import {
  Object as object,
  Optional as optional,
  Unsafe as unsafe,
  type Static,
  type TAddOptional,
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TRemoveOptional,
  type TSchema,
  type TUnsafe,
} from "typebox";

type EachOptional<Fields extends TProperties> = {
  [Name in keyof Fields]: TAddOptional<Fields[Name]>;
};
type EachRequired<Fields extends TProperties> = {
  [Name in keyof Fields]: TRemoveOptional<Fields[Name]>;
};

/** The same object where every field may be left out. */
export function partialOf<Fields extends TProperties>({
  properties,
}: TObject<Fields>): TObject<EachOptional<Fields>> {
  const fields = Object.entries(properties).map(([name, field]) => [name, optional(field)]);
  return object(Object.fromEntries(fields));
}

/** The same object where no field may be left out. */
export function requiredOf<Fields extends TProperties>({
  properties,
}: TObject<Fields>): TObject<EachRequired<Fields>> {
  const fields = Object.entries(properties).map(([name, field]) => [name, withoutMark(field)]);
  return object(Object.fromEntries(fields));
}

/** What may be left out is marked so beside the words of the standard. */
function withoutMark(field: TSchema): TSchema {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(field));
  Reflect.deleteProperty(copy, "~optional");
  return copy;
}

/** An object of any fields that are all of one kind, and whose names may have to fit a pattern. */
export function recordOf<Value extends TSchema>(
  name: TSchema,
  value: Value,
  options: TObjectOptions = {},
): TUnsafe<Record<string, Static<Value>>> {
  const pattern = "pattern" in name ? String(name.pattern) : "^.*$";
  return unsafe({ type: "object", patternProperties: { [pattern]: value }, ...options });
}
