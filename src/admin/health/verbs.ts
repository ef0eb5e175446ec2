// Health of the models: its call with its function.
import { bind } from "../bind.ts";
import { healthCalls } from "./contract.ts";
import { readModelsHealth } from "./shown.ts";

export const healthVerbs = bind(healthCalls, { readModels: readModelsHealth });
