// How a request ended, in the few words that metrics and the usage log tell apart.

export type OutcomeKind = "ok" | "client_abort" | "upstream_error" | "gateway_error" | "rejected";
