// The audit log as it goes over the wire.
import type { JsonObject } from "../../core/json.ts";
import { anyObject, orNull, text, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { callsOf } from "../call.ts";
import { changesKeyword, momentSchema, roleSchema } from "../contract/basics.ts";
import { span } from "../span.ts";

const carrierSchema = word("session", "token", "visitor", "cli", "config");

/** One act on one thing, and its actor. Entries never change. */
export const AuditView = Type.Object({
  id: text(),
  at: momentSchema,
  /** The account's name; null where the configuration file did it. */
  actor: orNull(text()),
  actor_id: orNull(text()),
  actor_role: orNull(roleSchema),
  carrier: carrierSchema,
  ip: orNull(text()),
  action: text("Such as user.credit."),
  target_kind: text(),
  target_id: text(),
  /** Today's name, or the last of what is gone; null where the id is the name, or was emptied. */
  target_name: orNull(text()),
  /** The fields of a new thing, or of each that differs `{from, to}`. Never a secret. */
  changes: Type.Unsafe<JsonObject>({ ...anyObject, [changesKeyword]: true }),
});
export type AuditView = Static<typeof AuditView>;

export const auditFilter = {
  ...span,
  actor: { schema: text() },
  action: { schema: text() },
  carrier: { schema: carrierSchema },
  target_kind: { schema: text() },
  target_id: { schema: text() },
};

const { list } = callsOf("Records");

export const auditCalls = {
  list: list("GET /api/audit", "Read the audit log", {
    permission: "audit.read",
    item: AuditView,
    filter: auditFilter,
  }),
};
export type AuditCalls = typeof auditCalls;
