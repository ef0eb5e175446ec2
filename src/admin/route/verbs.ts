// Dry runs of the choice: the call with its function.
import { bind } from "../bind.ts";
import { routeCalls } from "./contract.ts";
import { previewRoute } from "./preview.ts";

export const routeVerbs = bind(routeCalls, { preview: previewRoute });
