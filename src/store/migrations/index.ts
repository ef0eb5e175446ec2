// Every migration in order. The position is the version. One that is a single table stands here.
import type { Migration } from "../migrate.ts";
import { assetPlaces } from "./asset-places.ts";
import { assets } from "./assets.ts";
import { capLimits } from "./cap-limits.ts";
import { caps } from "./caps.ts";
import { budgets } from "./budgets.ts";
import { channelAuthor } from "./channel/author.ts";
import { channelKeyRates } from "./channel/key-rates.ts";
import { channelRates } from "./channel/rates.ts";
import { channelVendor } from "./channel/vendor.ts";
import { keyDisabler } from "./key-disabler.ts";
import { keyModelRates } from "./key-model-rates.ts";
import { mail } from "./mail.ts";
import { channelTimeouts } from "./channel/timeouts.ts";
import { channelTransport } from "./channel/transport.ts";
import { cluster } from "./cluster.ts";
import { controlRecords } from "./control-records.ts";
import { costPrices } from "./cost-prices.ts";
import { departures } from "./departures.ts";
import { entryLists } from "./entry-lists.ts";
import { foundation } from "./foundation.ts";
import { keptAnswers } from "./kept-answers.ts";
import { keyGroups } from "./key-groups.ts";
import { keyTextColumns } from "./key-texts.ts";
import { labels } from "./labels.ts";
import { notices } from "./notices.ts";
import { oauthIdentities } from "./people/oauth-identities.ts";
import { oauthFlows } from "./people/oauth-flows.ts";
import { organisations } from "./people/organisations.ts";
import { partRates } from "./people/part-rates.ts";
import { roles } from "./people/roles.ts";
import { originAskers } from "./origin-askers.ts";
import { origins } from "./origins.ts";
import { relocationColumns } from "./relocation.ts";
import { secondFactorTables } from "./people/second-factors.ts";
import { sessionTables } from "./people/sessions.ts";
import { pageSettings } from "./page-settings.ts";
import { taskLeases } from "./task-leases.ts";
import { taskTables } from "./tasks.ts";
import { virtualModels } from "./virtual-models.ts";

/**
 * The oldest version whose program can work with the newest tables, where nodes of two versions
 * run beside each other: what came since has only added. Who takes something away raises it.
 */
export const oldestReader = 36;

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
  // Rows from another program's database, by that program's own id.
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
  // Milestones. Whoever has or had a channel by now is past the first steps.
  ({ keyedTable }) => [
    keyedTable("milestone", ["name text primary key"]),
    `insert into milestone (name) select 'first-channel'
      where exists (select 1 from channel)
        or exists (select 1 from audit_entry where action = 'channel.create')`,
  ],
  // Number of changes of each topic, for nodes that share the database; and what only their one
  // secret opens.
  ({ keyedTable, integer }) => [
    keyedTable("version", ["topic text primary key", `n ${integer} not null`]),
    keyedTable("canary", ["name text primary key", "sealed text not null"]),
  ],
  cluster,
  oauthFlows,
  // Request of a task that has not begun; '' where that lies in the media store.
  () => ["alter table task add column request text"],
  keyTextColumns,
  ({ integer }) => [`alter table api_key add column log_content ${integer} not null default 0`],
  // Chores that one node at a time does for all, and when each was last begun.
  ({ keyedTable, integer }) => [
    keyedTable("chore", ["name text primary key", `done_at_ms ${integer} not null`]),
  ],
  entryLists,
  () => ["alter table webhook_delivery add column tries text not null default '[]'"],
  // Settings of people for themselves, and the recipients of notices.
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
  notices,
  // Progress of a move of all rows to another database, in the one they leave and in the other.
  ({ keyedTable, integer }) => [keyedTable("relocation", relocationColumns(integer))],
  // The trace that a task is part of.
  () => ["alter table task add column trace text"],
  // The requests whose contents somebody wants to see, and those contents, for a day.
  ({ keyedTable, integer }) => [
    keyedTable("capture", [
      "id text primary key",
      "account_id text",
      "key_id text",
      "model text",
      "channel_id text",
      `requests_max ${integer} not null`,
      `taken ${integer} not null`,
      `until_ms ${integer} not null`,
      "actor_id text not null",
      `created_at_ms ${integer} not null`,
    ]),
    keyedTable("captured", [
      "request_id text primary key",
      "capture_id text not null",
      "account_id text not null",
      `at_ms ${integer} not null`,
      "sealed text not null",
    ]),
  ],
  // A node's own description. Where a process has the database to itself there is no such table.
  ({ isShared = false }) =>
    isShared
      ? [
          "alter table node add column name text not null default ''",
          "alter table node add column version text not null default ''",
          "alter table node add column ttl_ms bigint",
          "alter table node add column is_leaving bigint not null default 0",
        ]
      : [],
  // Values of headers are sealed from here on, which programs before cannot read: a start seals
  // those that are there (`distribution/queries.ts`).
  () => [],
  // Links that sign someone in once: the digest of each, whose it is and until when.
  ({ keyedTable, integer }) => [
    keyedTable("sign_in_link", [
      "hash text primary key",
      "account_id text not null",
      "proof text not null",
      `expires_at_ms ${integer} not null`,
    ]),
    "create index sign_in_link_age on sign_in_link (expires_at_ms)",
  ],
  // Tokens that a vendor puts before each prompt, unseen.
  ({ integer }) => [
    `alter table channel add column hidden_prompt_tokens ${integer} not null default 0`,
  ],
  ({ integer }) => [`alter table channel add column allow_routing ${integer} not null default 0`],
  // Since when an account waits for an operator.
  ({ integer }) => [`alter table account add column waits_since_ms ${integer}`],
  // channel-affinity: whether conversations stay on one key of a channel.
  ({ integer }) => [`alter table channel add column affinity ${integer} not null default 1`],
  costPrices,
  virtualModels,
  channelRates,
  channelVendor,
  keptAnswers,
  keyModelRates,
  caps,
  labels,
  mail,
  organisations,
  budgets,
  pageSettings,
  roles,
  partRates,
  channelKeyRates,
  keyDisabler,
  channelAuthor,
  capLimits,
  originAskers,
];
