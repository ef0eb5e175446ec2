// What is done with accounts, and what the reference says of it.
import { Type } from "../../core/schema.ts";
import { AccessTokenView } from "../access-token/contract.ts";
import { listOf, pages, removed } from "../contract/basics.ts";
import { resetFactors } from "../second-factor/reset.ts";
import { verb } from "../verb.ts";
import { createUserToken, revokeUserTokens, tokenChecker } from "./access-token.ts";
import { changeUser, disableUser } from "./change.ts";
import { CreditView, SelfView, UserView } from "./contract.ts";
import { createUser } from "./create.ts";
import { creditUser } from "./credit.ts";
import { creditChecker, userChangeChecker, userChecker } from "./fields.ts";
import { listUserViews } from "./list.ts";
import { readSelf, readUser } from "./read.ts";

const tag = "Accounts";
const password = "correct horse battery staple";

export const users = {
  list: verb({
    tag,
    summary: "List accounts",
    takes: "query",
    query: pages,
    answer: listOf(UserView),
    run: listUserViews,
  }),
  create: verb({
    tag,
    summary: "Create an account",
    takes: "body",
    body: {
      schema: userChecker.schema,
      example: { username: "ann", password, quota_micros: 5_000_000 },
    },
    answer: UserView,
    run: createUser,
  }),
  readSelf: verb({
    tag: "Own account",
    summary: "Read oneself",
    takes: "nothing",
    answer: SelfView,
    run: readSelf,
  }),
  read: verb({ tag, summary: "Read an account", takes: "id", answer: UserView, run: readUser }),
  change: verb({
    tag,
    summary: "Change an account",
    takes: "idAndBody",
    body: { schema: userChangeChecker.schema, example: { requests_per_minute: 600 } },
    answer: UserView,
    run: changeUser,
  }),
  disable: verb({
    tag,
    summary: "Disable an account",
    takes: "id",
    answer: UserView,
    run: disableUser,
  }),
  credit: verb({
    tag,
    summary: "Give credit, or take back what is left",
    takes: "idAndBody",
    body: { schema: creditChecker.schema, example: { micros: 1_000_000, reason: "invoice 17" } },
    answer: CreditView,
    run: creditUser,
  }),
  createToken: verb({
    tag,
    summary: "Create an access token for an account",
    takes: "idAndOptionalBody",
    body: { schema: tokenChecker.schema, example: { name: "script" }, isOptional: true },
    answer: AccessTokenView,
    run: createUserToken,
  }),
  revokeTokens: verb({
    tag,
    summary: "Revoke all access tokens of an account",
    takes: "id",
    answer: Type.Object({ revoked: Type.Integer() }),
    run: revokeUserTokens,
  }),
  resetFactors: verb({
    tag,
    summary: "Take an account's second factors off, for someone who is locked out",
    takes: "id",
    answer: removed,
    run: resetFactors,
  }),
};
