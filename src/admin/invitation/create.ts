// Makes an invitation, a code by which people may register.
import type { Random } from "../../core/random.ts";
import { insertInvitation } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { createInvitationCode, digest } from "../../identity/secrets.ts";
import { brief } from "../audit/changes.ts";
import { noting, type NotingNeeds } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { readExpiry } from "../moments.ts";
import type { CreatedInvitation, InvitationCalls } from "./contract.ts";
import { toView } from "./view.ts";

export interface InvitationNeeds extends NotingNeeds {
  random: Random;
}

/** The answer is the only time that the code is seen. */
export async function createInvitation(
  needs: InvitationNeeds,
  operator: Operator,
  { body }: InputOf<InvitationCalls["create"]>,
): Promise<CreatedInvitation> {
  const { note = "", uses_max = 1, expires_at } = body;
  const { random, ids, clock } = needs;
  const code = createInvitationCode(random);
  const row = {
    id: ids.invitation(),
    hash: digest(code),
    note,
    uses_max,
    uses: 0,
    expires_at_ms: expires_at === undefined ? null : readExpiry(needs, expires_at) * 1000,
    created_by: operator.accountId,
    created_at_ms: clock.nowMs(),
  };
  const view = toView(row);
  const entry = { action: "invitation.create", target: row.id, changes: brief(view) } as const;
  await insertInvitation(noting(needs, operator, entry).database, row);
  return { ...view, code };
}
