// Names that stand for several models, the names of a key's own, and which model made what a client
// comes back with.
import type { Migration } from "../migrate.ts";

export const virtualModels: Migration = ({ keyedTable, integer }) => [
  keyedTable("virtual_model", [
    "name text primary key",
    "document text not null",
    `declared ${integer} not null`,
  ]),
  "alter table api_key add column model_mapping text",
  "alter table origin add column model text",
];
