// Places of Google's wires, in both spellings of their names.
import {
  addRows,
  every,
  objectWith,
  type Fields,
  type FieldsOptions,
  type Place,
  type Table,
} from "./place.ts";
import { toSnake } from "./spelling.ts";

export function bothSpelled(table: Table, more: FieldsOptions = {}): Fields {
  const named = Object.entries(table);
  const snake = named.map(([name, place]): [string, Place] => [toSnake(name), place]);
  return objectWith({ ...table, ...Object.fromEntries(snake) }, more);
}

const parts: Fields = bothSpelled(
  {
    ...every("text thought thoughtSignature videoMetadata mediaResolution", "text"),
    ...every("mediaProcessing speechMetadata audioTranscription", "text"),
    partMetadata: "json",
    executableCode: objectWith(every("id code language", "text")),
    codeExecutionResult: objectWith(every("id output outcome", "text")),
    toolCall: bothSpelled({ ...every("id toolType", "text"), args: "json" }),
    toolResponse: bothSpelled({ ...every("id toolType", "text"), response: "json" }),
    inlineData: bothSpelled(
      { mimeType: "text", displayName: "text", data: "data" },
      { string: "data" },
    ),
    fileData: bothSpelled(
      { mimeType: "text", displayName: "text", fileUri: "address" },
      { required: "fileUri", string: "data" },
    ),
    functionCall: bothSpelled({
      ...every("id name", "text"),
      args: "json",
      partialArgs: bothSpelled(every("jsonPath stringValue", "text")),
    }),
  },
  { isPart: true, string: "text" },
);
const response = bothSpelled({
  ...every("id name scheduling", "text"),
  response: "json",
  parts,
});
addRows(parts.fields, every("functionResponse function_response", response));

export const contentPlace = bothSpelled({ role: "text", parts }, { string: "text" });
