// Sums of what was used: each call with its function.
import { bind } from "../bind.ts";
import { usageCalls } from "./contract.ts";
import { listOwnUsage, listUsageViews } from "./list.ts";

export const usageVerbs = bind(usageCalls, { list: listUsageViews, listOwn: listOwnUsage });
