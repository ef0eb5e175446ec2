// Organisations: accounts that nobody signs in to, their members, projects and rules; and whose a
// key, a token or an invitation is there.
import type { Migration } from "../../migrate.ts";

export const organisations: Migration = ({ keyedTable, integer }) => [
  "alter table account add column kind text not null default 'person'",
  keyedTable("organisation", [
    "id text primary key references account (id)",
    "key_rules text not null",
  ]),
  keyedTable("member", [
    "organisation_id text not null references account (id)",
    "person_id text not null references account (id)",
    "role text not null",
    "source text not null",
    `created_at_ms ${integer} not null`,
    "project_id text",
    `keys_until_ms ${integer}`,
    "primary key (organisation_id, person_id)",
  ]),
  "create index member_person on member (person_id)",
  keyedTable("project", [
    "id text primary key",
    "organisation_id text not null references account (id)",
    "name text not null",
    "status text not null",
    `created_at_ms ${integer} not null`,
  ]),
  "create unique index project_name on project (organisation_id, name)",
  "alter table api_key add column project_id text",
  "alter table api_key add column maker_id text",
  "create index api_key_maker on api_key (maker_id) where maker_id is not null",
  "create index api_key_project on api_key (project_id) where project_id is not null",
  "alter table invitation add column organisation_id text",
  "alter table invitation add column role text",
  "alter table access_token add column organisation_id text",
  "alter table oauth_identity add column given_role text",
];
