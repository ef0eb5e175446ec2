// Virtual models: each call with its function.
import { bind } from "../bind.ts";
import { virtualModelCalls } from "./contract.ts";
import { listVirtualModels } from "./list.ts";
import { removeVirtualModel } from "./remove.ts";
import { setVirtualModel } from "./write.ts";

export const virtualModelVerbs = bind(virtualModelCalls, {
  list: listVirtualModels,
  write: setVirtualModel,
  remove: removeVirtualModel,
});
