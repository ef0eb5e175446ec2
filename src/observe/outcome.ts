// The outcome of a request, in the few words that metrics and the usage log tell apart.
import type { UsageLogTable } from "../store/usage-columns.ts";

export type OutcomeKind = UsageLogTable["outcome"];
