// How the audit log is read, and what the reference says of it.
import type { QueryEntry } from "../../core/reference-entry.ts";
import { text } from "../../core/schema-words.ts";
import { span } from "../contract/basics.ts";
import { verbsOf } from "../verb.ts";
import { AuditView } from "./contract.ts";
import { listAuditViews } from "./list.ts";

const { list } = verbsOf("Records");

/** What entries are wanted. */
export const auditFilter: QueryEntry = {
  ...span,
  actor: { schema: text() },
  action: { schema: text() },
  carrier: { schema: text() },
  target_kind: { schema: text() },
  target_id: { schema: text() },
};

export const auditVerbs = {
  list: list("Read the audit log", AuditView, listAuditViews, auditFilter),
};
