// Rows of another program's database: each call with its function.
import { bind } from "../bind.ts";
import { importCalls } from "./contract.ts";
import { importRows, readImport } from "./write.ts";

export const importVerbs = bind(importCalls, { read: readImport, write: importRows });
