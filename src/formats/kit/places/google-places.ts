// Places of Google's wires, in both spellings of their names.
import { every, recordOf, type Fields, type Place, type Table } from "./place.ts";
import { toSnake } from "./spelling.ts";

export function bothSpelled(table: Table, more: Partial<Omit<Fields, "fields">> = {}): Fields {
  const named = Object.entries(table);
  const snake = named.map(([name, place]): [string, Place] => [toSnake(name), place]);
  return recordOf({ ...table, ...Object.fromEntries(snake) }, more);
}

const parts: Fields = bothSpelled(
  {
    ...every("text thought thoughtSignature executableCode", "text"),
    ...every("codeExecutionResult videoMetadata mediaResolution", "text"),
    ...every("mediaProcessing partMetadata speechMetadata", "text"),
    ...every("audioTranscription toolCall toolResponse", "text"),
    inlineData: bothSpelled({ mimeType: "text", displayName: "text", data: "data" }),
    fileData: bothSpelled(
      { mimeType: "text", displayName: "text", fileUri: "address" },
      { required: "fileUri" },
    ),
    functionCall: bothSpelled(every("id name args partialArgs", "text")),
  },
  { isPart: true, string: "text" },
);
const response = bothSpelled({ ...every("id name response scheduling", "text"), parts });
for (const name of ["functionResponse", "function_response"]) parts.fields.set(name, response);

export const contentPlace = bothSpelled({ role: "text", parts }, { string: "text" });
