// Nodes: their call with its function.
import { bind } from "../bind.ts";
import { nodeCalls } from "./contract.ts";
import { listNodes } from "./list.ts";

export const nodeVerbs = bind(nodeCalls, { list: listNodes });
