// Every migration in order. The position is the version. One that is a single table stands here.
import type { Migration } from "../migrate.ts";
import { assetPlaces } from "./asset-places.ts";
import { assets } from "./assets.ts";
import { channelTimeouts } from "./channel-timeouts.ts";
import { channelTransport } from "./channel-transport.ts";
import { controlRecords } from "./control-records.ts";
import { departures } from "./departures.ts";
import { entryLists } from "./entry-lists.ts";
import { foundation } from "./foundation.ts";
import { keyGroups } from "./key-groups.ts";
import { oauthIdentities } from "./oauth-identities.ts";
import { origins } from "./origins.ts";
import { secondFactorTables } from "./second-factors.ts";
import { sessionTables } from "./sessions.ts";
import { taskLeases } from "./task-leases.ts";
import { taskTables } from "./tasks.ts";

export const migrations: readonly Migration[] = [
  foundation,
  origins,
  sessionTables,
  taskTables,
  assets,
  assetPlaces,
  controlRecords,
  secondFactorTables,
  oauthIdentities,
  taskLeases,
  ({ keyedTable, integer }) => [
    keyedTable("model_note", [
      "model text primary key",
      "note text not null",
      `updated_at_ms ${integer} not null`,
    ]),
  ],
  channelTransport,
  () => ["alter table channel add column surcharges text not null default '{}'"],
  channelTimeouts,
  keyGroups,
  ({ integer }) => [`alter table channel add column allow_objects ${integer} not null default 0`],
  ({ keyedTable }) => [
    keyedTable("list_row", ["model text primary key", "document text not null"]),
  ],
  departures,
  // What came from another program's database, by that program's own id.
  ({ keyedTable, integer }) => [
    keyedTable("imported", [
      "source text not null",
      "kind text not null",
      "ref text not null",
      "id text not null",
      `at_ms ${integer} not null`,
      "primary key (source, kind, ref)",
    ]),
  ],
  // What has happened once. Whoever has or had a channel by now is past the first steps.
  ({ keyedTable }) => [
    keyedTable("milestone", ["name text primary key"]),
    `insert into milestone (name) select 'first-channel'
      where exists (select 1 from channel)
        or exists (select 1 from audit_entry where action = 'channel.create')`,
  ],
  entryLists,
  () => ["alter table webhook_delivery add column tries text not null default '[]'"],
  // What people set for themselves, and who is told of what.
  ({ keyedTable, integer }) => [
    keyedTable("profile", [
      "account_id text primary key references account (id)",
      "display_name text",
      "language text",
      "zone text",
      `low_balance_micros ${integer}`,
    ]),
    "alter table announcement add column level text not null default 'info'",
    `alter table announcement add column for_visitors ${integer} not null default 0`,
  ],
];
