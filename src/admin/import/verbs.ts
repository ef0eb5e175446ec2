// What is done with what comes from another program, and what the reference says of it.
import { text } from "../../core/schema-words.ts";
import { verbsOf } from "../verb.ts";
import { ImportInput, ImportResult, ImportState } from "./contract.ts";
import { importRows, readImport } from "./write.ts";

const { verb } = verbsOf("Import");

export const importVerbs = {
  write: verb("Take rows of another program's database", "body", importRows, {
    body: {
      schema: ImportInput,
      example: { source: "old-gateway", groups: [{ name: "friends", multiplier: 0.8 }] },
    },
    answer: ImportResult,
  }),
  read: verb("Read what has come of a database", "query", readImport, {
    query: { source: { schema: text(), isRequired: true } },
    answer: ImportState,
  }),
};
