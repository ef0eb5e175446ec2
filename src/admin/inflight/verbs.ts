// Requests that run now: each call with its function.
import { bind } from "../bind.ts";
import { inflightCalls } from "./contract.ts";
import { endInflight } from "./end.ts";
import { listInflight } from "./list.ts";

export const inflightVerbs = bind(inflightCalls, { list: listInflight, end: endInflight });
