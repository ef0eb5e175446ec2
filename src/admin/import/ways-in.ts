// Codes for credit that nobody has used yet, and who accounts are at providers.
import type { AccountId, RedemptionId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { compile, parseWith } from "../../core/schema.ts";
import { findIdentity, insertOfIdentity } from "../../identity/oauth/queries.ts";
import { findRedemption } from "../redemption/queries.ts";
import { assertMayAddTo } from "./authority.ts";
import { ImportedCode, ImportedIdentity } from "./contract.ts";
import type { ImportBy, ImportNeeds, ImportOutcome } from "./needs.ts";
import { insertOfCode, readImported } from "./queries.ts";
import { refused, writeRows } from "./rows.ts";

const codeChecker = compile(ImportedCode);
const identityChecker = compile(ImportedIdentity);

export async function importCodes(
  needs: ImportNeeds,
  by: ImportBy,
  rows: readonly JsonObject[],
): Promise<{ outcomes: ImportOutcome[]; codes: RedemptionId[] }> {
  const hashes = new Set<string>();
  const { outcomes, made: madeIds } = await writeRows(needs, by, {
    kind: "codes",
    rows,
    refField: "ref",
    make: async (wayIn) => {
      const { ref: _ref, expires_at: expiresAt, ...code } = parseWith(codeChecker, wayIn);
      if (hashes.has(code.hash) || (await findRedemption(needs.database, code.hash))) {
        throw refused("There is already a code of that text.");
      }
      hashes.add(code.hash);
      const id = needs.ids.redemption();
      const row = {
        ...code,
        id,
        expires_at_ms: expiresAt === null ? null : expiresAt * 1000,
        created_by: by.operator.accountId,
        created_at_ms: needs.clock.nowMs(),
        redeemed_by: null,
        redeemed_at_ms: null,
      };
      return {
        id,
        queries: [insertOfCode(needs.database, row)],
        action: "redemption.create",
        changes: { name: code.name, micros: code.micros },
      };
    },
  });
  return { outcomes, codes: madeIds as RedemptionId[] };
}

export async function importIdentities(
  needs: ImportNeeds,
  by: ImportBy,
  rows: readonly JsonObject[],
): Promise<ImportOutcome[]> {
  const owners = await readImported(needs.database, by.source, "accounts");
  const seen = new Set<string>();
  const { outcomes } = await writeRows(needs, by, {
    kind: "identities",
    rows,
    refField: "ref",
    make: async (wayIn) => {
      const { owner, provider, issuer, subject } = parseWith(identityChecker, wayIn);
      const account = owners.get(owner);
      if (account === undefined) throw refused("Its account has not come.");
      const name = JSON.stringify([provider, issuer, subject]);
      if (seen.has(name) || (await findIdentity(needs.database, { provider, issuer, subject }))) {
        throw refused("This identity opens another account already.");
      }
      await assertMayAddTo(needs, by, account, "people.write");
      seen.add(name);
      const nowMs = needs.clock.nowMs();
      const row = {
        id: needs.ids.identity(),
        provider,
        issuer,
        subject,
        account_id: account as AccountId,
        username: "",
        display_name: "",
        created_at_ms: nowMs,
        used_at_ms: nowMs,
        given_role: null,
      };
      return {
        id: row.id,
        queries: [insertOfIdentity(needs.database, row)],
        action: "user.identity_link",
        changes: { account, provider },
      };
    },
  });
  return outcomes;
}
