// The reference's words on one route besides those of its row in the table.
import type { Json } from "./json.ts";
import type { TSchema } from "./schema.ts";

export interface ReferenceEntry {
  tag: string;
  summary: string;
  description?: string;
  /** Parameters of the query, by name. */
  query?: QueryEntry;
  /** Others may come with it, as browsers are sent here by links. */
  takesAnyQuery?: true;
  body?: BodyEntry;
  /** Its body is a file as it is, of one of these media types. */
  fileTypes?: readonly string[];
  /** It may also come as a stream of server-sent events. */
  isStreamed?: true;
  /** It is asked for a WebSocket. */
  isSocket?: true;
  /** The address a browser is sent to instead, with a 303. */
  redirect?: string;
  /** The answer's schema; on the control plane that of `data`. */
  answer: TSchema | MediaEntry;
}

interface Parameter {
  schema: TSchema;
  description?: string;
  isRequired?: boolean;
  /** On where the text is `true`, off whatever else it is. */
  isFlag?: true;
  /** Filled with the default of its schema where the client leaves it out. */
  isFilled?: true;
  /** Value of its text, where the schema does not say that; throws the 400. */
  read?(text: string, name: string): unknown;
}

export type QueryEntry = Readonly<Record<string, Parameter>>;

export interface BodyEntry {
  schema: TSchema;
  /** It is sent by the tests, and its answer held against the schema. */
  example: Json;
  /** It may be left out. */
  isOptional?: boolean;
  /** It may also come as a form. */
  isForm?: boolean;
}

/** An answer that is not JSON. */
interface MediaEntry {
  type: string;
  /** Others that it may have instead. */
  otherTypes?: readonly string[];
  description: string;
}

export function isMedia(answer: TSchema | MediaEntry): answer is MediaEntry {
  return "type" in answer && typeof answer.type === "string" && answer.type.includes("/");
}
