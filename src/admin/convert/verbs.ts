// Dry runs of a conversion: the call with its function.
import { bind } from "../bind.ts";
import { convertCalls } from "./contract.ts";
import { convert } from "./run.ts";

export const convertVerbs = bind(convertCalls, { run: convert });
