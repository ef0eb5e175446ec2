// How the audit log is read, and what the reference says of it.
import { text } from "../../core/schema-words.ts";
import { span } from "../contract/basics.ts";
import { verbsOf } from "../verb.ts";
import { AuditView } from "./contract.ts";
import { listAuditViews } from "./list.ts";

const { list } = verbsOf("Records");

export const auditVerbs = {
  list: list("Read the audit log", AuditView, listAuditViews, {
    ...span,
    actor: { schema: text() },
    action: { schema: text() },
    carrier: { schema: text() },
    target_kind: { schema: text() },
    target_id: { schema: text() },
  }),
};
