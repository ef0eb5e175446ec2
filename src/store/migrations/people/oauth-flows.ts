// Sign-ins that are under way, so that a browser may come back to another node than it began on.
import type { Migration } from "../../migrate.ts";

export const oauthFlows: Migration = ({ integer, keyedTable }) => [
  keyedTable("oauth_flow", [
    "state_hash text primary key",
    "browser_hash text not null",
    "provider text",
    "account_id text",
    "sealed text not null",
    `ends_at_ms ${integer} not null`,
  ]),
  "create index oauth_flow_end on oauth_flow (ends_at_ms)",
  "create index oauth_flow_browser on oauth_flow (browser_hash)",
];
