// Models and their prices: each call with its function.
import { bind } from "../bind.ts";
import { modelCalls } from "./contract.ts";
import { listModelViews, readOwnGroup } from "./list.ts";

export const modelVerbs = bind(modelCalls, { readGroup: readOwnGroup, list: listModelViews });
