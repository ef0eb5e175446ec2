// Requests and tokens a minute that a key may have of some models, as JSON; null for no limit.
import type { Migration } from "../migrate.ts";

export const keyModelRates: Migration = () => [
  "alter table api_key add column model_requests_per_minute text",
  "alter table api_key add column model_tokens_per_minute text",
];
