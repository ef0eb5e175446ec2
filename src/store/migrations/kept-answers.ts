// Answers that are given again to who asks again under the same key: sealed, for a while. One that
// is being made has the node that makes it and no text yet; one whose text is gone has neither.
import type { Migration } from "../migrate.ts";

export const keptAnswers: Migration = ({ integer, table }) => [
  table("kept_answer", [
    "id text primary key",
    "account_id text not null references account (id)",
    "body_digest text not null",
    "request_id text not null",
    "claimed_by text",
    `bytes ${integer} not null`,
    `created_at_ms ${integer} not null`,
    "sealed text",
  ]),
  "create index kept_answer_account on kept_answer (account_id, created_at_ms)",
  "create index kept_answer_age on kept_answer (created_at_ms)",
];
