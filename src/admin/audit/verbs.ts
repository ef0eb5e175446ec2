// How the audit log is read, and what the reference says of it.
import { text } from "../../core/schema-words.ts";
import { listOf, pages, span } from "../contract/basics.ts";
import { verb } from "../verb.ts";
import { AuditView } from "./contract.ts";
import { listAuditViews } from "./list.ts";

export const auditLog = {
  list: verb({
    tag: "Records",
    summary: "Read the audit log",
    takes: "query",
    query: {
      ...pages,
      ...span,
      actor: { schema: text() },
      action: { schema: text() },
      carrier: { schema: text() },
      target_kind: { schema: text() },
      target_id: { schema: text() },
    },
    answer: listOf(AuditView),
    run: listAuditViews,
  }),
};
