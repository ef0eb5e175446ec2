// Keys that end with a browser's session, the text that a key had before it was rotated, and when a
// key was last used.
import type { Migration } from "../migrate.ts";

export const keyTextColumns: Migration = ({ integer }) => [
  "alter table api_key add column session_id text",
  "alter table api_key add column previous_hash text",
  `alter table api_key add column previous_until_ms ${integer}`,
  `alter table api_key add column used_at_ms ${integer}`,
  "create index api_key_previous on api_key (previous_hash) where previous_hash is not null",
  "create index api_key_session on api_key (session_id) where session_id is not null",
];
