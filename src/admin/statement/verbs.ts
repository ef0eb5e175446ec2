// Statements: each call with its function.
import { bind } from "../bind.ts";
import { statementCalls } from "./contract.ts";
import { readOwnStatement, readStatement } from "./read.ts";

export const statementVerbs = bind(statementCalls, {
  read: readStatement,
  readOwn: readOwnStatement,
});
