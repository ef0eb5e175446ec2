// A form as OpenAI reads it: one value for each name, and a list only behind a name with brackets.
import { FormError, readFields, type FormValue } from "../../form.ts";
import { Refusal } from "../errors.ts";

/** Null when the body is no form. */
export function readForm(contentType: string, body: Uint8Array): Map<string, FormValue> | null {
  const lists = readLists(contentType, body);
  if (!lists) return null;
  const single = [...lists].map(([name, [value, second]]): [string, FormValue] => {
    if (value === undefined || second !== undefined) throw duplicate(name);
    return [name, value];
  });
  return new Map(single);
}

/** All values of each name; only a name such as `image[]` may have several. */
export function readLists(contentType: string, body: Uint8Array): Map<string, FormValue[]> | null {
  const fields = fieldsOf(contentType, body);
  if (!fields) return null;
  const lists = Map.groupBy(fields, ([name]) => name);
  for (const [name, entries] of lists) {
    if (entries.length > 1 && !name.endsWith("[]")) throw duplicate(name);
  }
  return new Map([...lists].map(([name, entries]) => [name, entries.map(([, value]) => value)]));
}

function fieldsOf(contentType: string, body: Uint8Array): [string, FormValue][] | null {
  try {
    return readFields(contentType, body);
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    throw new Refusal(400, { message: "We could not parse the form." });
  }
}

function duplicate(param: string): Refusal {
  const message = `Duplicate parameter: '${param}'.`;
  return new Refusal(400, { message, param, code: "duplicate_parameter" });
}
