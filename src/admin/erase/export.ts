// All that is kept of oneself, in one answer.
import type { Operator } from "../../identity/caller.ts";
import { listTokens } from "../../identity/access/queries.ts";
import { listKeys } from "../../identity/listing/queries.ts";
import { readSeatsOf } from "../../identity/organisations/queries.ts";
import { readIdentities } from "../../identity/oauth/queries.ts";
import { toView as toTokenView } from "../access-token/list.ts";
import { toView as toAuditView } from "../audit/list.ts";
import { listEntries } from "../audit/queries.ts";
import type { OwnData } from "./contract.ts";
import { toSeconds } from "../input.ts";
import { viewRow } from "../key/view.ts";
import { listGrants } from "../../quota/history/queries.ts";
import { toKeptCredit } from "../ledger/list.ts";
import { toView as toIdentityView } from "../oauth/list.ts";
import { toSeatView } from "../organisation/own.ts";
import { viewFactors } from "../second-factor/own.ts";
import { toView as toSessionView } from "../session/list.ts";
import { viewAccount } from "../user/read.ts";
import type { EraseNeeds } from "./erase.ts";

/** The newest rows of each list. */
const newest = { offset: 0, limit: 1000 };

export async function exportOwn(needs: EraseNeeds, operator: Operator): Promise<OwnData> {
  const { people } = needs;
  const { database } = people;
  const { accountId } = operator;
  await people.store.applied();
  const keys = await listKeys(database, { accountId }, newest);
  const tokens = await listTokens(database, { accountId }, newest);
  const credits = await listGrants(database, { accountId }, newest);
  const acts = await listEntries(database, { actorId: accountId }, newest);
  const sessions = await people.sessions.list(accountId);
  return {
    exported_at: toSeconds(people.clock.nowMs()),
    account: await viewAccount(people, accountId),
    keys: keys.items.map((row) => viewRow(needs.keys, row)),
    access_tokens: tokens.items.map(toTokenView),
    organisations: (await readSeatsOf(database, accountId)).map(toSeatView),
    sessions: sessions.map((row) => toSessionView(people, operator, row)),
    identities: (await readIdentities(database, accountId)).map(toIdentityView),
    second_factor: await viewFactors(people, operator),
    credits: credits.items.map(toKeptCredit),
    acts: acts.items.map((row) => toAuditView(row, null)),
  };
}
