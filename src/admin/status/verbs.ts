// State of the gateway: its call with its function.
import { bind } from "../bind.ts";
import { statusCalls } from "./contract.ts";
import { readStatus } from "./read.ts";

export const statusVerbs = bind(statusCalls, { read: readStatus });
