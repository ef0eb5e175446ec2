// Time limits of a channel; null where the gateway's own limits hold.
import type { Migration } from "../../migrate.ts";

export const channelTimeouts: Migration = ({ integer }) =>
  ["first_byte_ms", "stall_ms", "total_ms"].map(
    (column) => `alter table channel add column ${column} ${integer}`,
  );
