// An invitation as it is shown: never its code.
import type { InvitationRow } from "../../identity/access/queries.ts";
import type { InvitationView } from "./contract.ts";
import { toSeconds, toSecondsOrNull } from "../input.ts";

export function toView(row: InvitationRow): InvitationView {
  return {
    id: row.id,
    note: row.note,
    uses: row.uses,
    uses_max: row.uses_max,
    expires_at: toSecondsOrNull(row.expires_at_ms),
    created_at: toSeconds(row.created_at_ms),
    role: row.role,
    account_role: row.staff_role,
  };
}
