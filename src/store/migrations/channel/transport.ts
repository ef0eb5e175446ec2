// Way to a channel: its proxy, sealed since it may have credentials in it, and HTTP/2.
import type { Migration } from "../../migrate.ts";

export const channelTransport: Migration = ({ integer }) => [
  "alter table channel add column proxy text",
  `alter table channel add column http2 ${integer} not null default 0`,
];
