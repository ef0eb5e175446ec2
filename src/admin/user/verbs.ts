// What is done with accounts, and what the reference says of it.
import { Type } from "../../core/schema.ts";
import type { Operator } from "../../identity/caller.ts";
import { accessTokenCalls, AccessTokenInput, AccessTokenView } from "../access-token/contract.ts";
import { removed, roleSchema } from "../contract/basics.ts";
import type { OnOne } from "../input.ts";
import { resetFactors } from "../second-factor/reset.ts";
import { byGroup, byName, bySort, byStatus } from "../search.ts";
import { verbsOf } from "../verb.ts";
import { createUserToken, revokeUserTokens, type TokenNeeds } from "./access-token.ts";
import { changeSelf, changeUser, disableUser } from "./change.ts";
import { CreditView, SelfView, UserView } from "./contract.ts";
import { createUser } from "./create.ts";
import { creditUser } from "./credit.ts";
import { creditChecker, selfChangeChecker, userChangeChecker, userChecker } from "./fields.ts";
import { listUserViews, userSorts } from "./list.ts";
import { readSelf, readUser } from "./read.ts";

const { list, verb } = verbsOf("Accounts");
const own = verbsOf("Own account");
const password = "correct horse battery staple";

function createParsed(needs: TokenNeeds, operator: Operator, { id, body }: OnOne) {
  return createUserToken(needs, operator, { id, body: accessTokenCalls.create.body.parse(body) });
}

export const userVerbs = {
  list: list("List accounts", UserView, listUserViews, {
    ...byName,
    ...byStatus,
    ...byGroup,
    role: { schema: roleSchema },
    ...bySort(userSorts),
  }),
  create: verb("Create an account", "body", createUser, {
    body: {
      schema: userChecker.schema,
      example: { username: "ann", password, quota_micros: 5_000_000 },
    },
    answer: UserView,
  }),
  readSelf: own.verb("Read oneself", "nothing", readSelf, { answer: SelfView }),
  changeSelf: own.verb("Change oneself", "body", changeSelf, {
    description: "What was booked under an old name stays as it is. Null takes a field out.",
    body: { schema: selfChangeChecker.schema, example: {} },
    answer: SelfView,
  }),
  read: verb("Read an account", "id", readUser, { answer: UserView }),
  change: verb("Change an account", "idAndBody", changeUser, {
    body: { schema: userChangeChecker.schema, example: { requests_per_minute: 600 } },
    answer: UserView,
  }),
  disable: verb("Disable an account", "id", disableUser, { answer: UserView }),
  credit: verb("Give credit, or take back what is left", "idAndBody", creditUser, {
    body: { schema: creditChecker.schema, example: { micros: 1_000_000, reason: "invoice 17" } },
    answer: CreditView,
  }),
  createToken: verb("Create an access token for an account", "idAndOptionalBody", createParsed, {
    body: { schema: AccessTokenInput, example: { name: "script" }, isOptional: true },
    answer: AccessTokenView,
  }),
  revokeTokens: verb("Revoke all access tokens of an account", "id", revokeUserTokens, {
    answer: Type.Object({ revoked: Type.Integer() }),
  }),
  resetFactors: verb(
    "Take an account's second factors off, for someone who is locked out",
    "id",
    resetFactors,
    { answer: removed },
  ),
};
