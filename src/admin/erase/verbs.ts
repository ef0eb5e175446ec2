// Deleting accounts for good and handing out what is kept of oneself, and what the reference says.
import { GatewayError, invalid } from "../../core/errors.ts";
import { compile, parseWith, Type } from "../../core/schema.ts";
import type { Operator } from "../../identity/caller.ts";
import { findEvenDeleted, isSameName } from "../../identity/queries.ts";
import { assertMayEdit } from "../authority.ts";
import { removed } from "../contract/basics.ts";
import { existing, readAccountId, type OnOne } from "../input.ts";
import type { OwnChange } from "../second-factor/enrol.ts";
import { proofChecker, readProof, stepUp } from "../second-factor/prove.ts";
import { verbsOf } from "../verb.ts";
import { OwnData } from "./contract.ts";
import { erase, type EraseNeeds } from "./erase.ts";
import { exportOwn } from "./export.ts";

const { verb } = verbsOf("Accounts");
const own = verbsOf("Own account");

const eraseChecker = compile(
  Type.Object(
    { username: Type.String({ description: "The account's name, so that it is the right one." }) },
    { additionalProperties: false },
  ),
);

async function eraseUser(needs: EraseNeeds, operator: Operator, { id, body }: OnOne) {
  const { username } = parseWith(eraseChecker, body);
  const account = existing(await findEvenDeleted(needs.people.database, readAccountId(id)));
  assertMayEdit(operator, account);
  if (account.id === operator.accountId) {
    const message = "Your own is deleted with a proof, at /api/user/self/erase.";
    throw new GatewayError("permission_denied", { message });
  }
  if (account.deleted_at_ms === null && !isSameName(username, account.username)) {
    throw invalid("username", "is not the name of this account");
  }
  return await erase(needs, operator, account.id);
}

async function eraseSelf(needs: EraseNeeds, operator: Operator, { visitor, body }: OwnChange) {
  const account = await stepUp(needs.people, operator, visitor, readProof(body));
  return await erase(needs, operator, account.id);
}

const description =
  "Its lines of the ledger stay; its name, keys, sessions, identities, factors, prompts of " +
  "tasks, and the addresses and names in its logs go. Refused while work of it is under way.";

export const eraseVerbs = {
  eraseUser: verb("Delete an account for good", "idAndBody", eraseUser, {
    description,
    body: { schema: eraseChecker.schema, example: { username: "ann" } },
    answer: removed,
  }),
  eraseSelf: own.verb("Delete oneself for good", "ownChange", eraseSelf, {
    description: `${description} Needs the password, or a second factor.`,
    body: { schema: proofChecker.schema, example: { password: "correct horse battery staple" } },
    answer: removed,
  }),
  exportOwn: own.verb("Read all that is kept of oneself", "nothing", exportOwn, {
    description:
      "The newest thousand of each list. Requests, sums and tasks are read in pages at " +
      "/api/log/self, /api/usage/self and /api/task/self.",
    answer: OwnData,
  }),
};
