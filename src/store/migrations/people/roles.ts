// Roles made of permissions, the role of an account that is none of the three before them, and what
// an invitation makes of whoever comes by it.
import type { Migration } from "../../migrate.ts";

export const roles: Migration = ({ keyedTable, integer }) => [
  keyedTable("role", [
    "name text primary key",
    "description text not null",
    "permissions text not null",
    `created_at_ms ${integer} not null`,
  ]),
  "alter table account add column staff_role text",
  "alter table invitation add column staff_role text",
];
