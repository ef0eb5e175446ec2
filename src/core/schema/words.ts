// The words of the schema library that are used: what is not named here is not loaded. Three are
// our own, because those of the library load its whole evaluator of types.
export {
  Array,
  Boolean,
  Enum,
  Integer,
  IsObject,
  Literal,
  Null,
  Number,
  Object,
  Optional,
  Refine,
  String,
  Union,
  Unknown,
  Unsafe,
} from "typebox";
export { partialOf as Partial, recordOf as Record, requiredOf as Required } from "./fields.ts";
