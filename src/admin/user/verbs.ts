// Accounts: each call with its function.
import { bind } from "../bind.ts";
import { resetFactors } from "../second-factor/reset.ts";
import { createUserToken, revokeUserTokens } from "./access-token.ts";
import { changeSelf, changeUser, disableUser } from "./change.ts";
import { selfCalls, userCalls } from "./contract.ts";
import { createUser } from "./create.ts";
import { creditUser } from "./credit.ts";
import { listUserViews } from "./list.ts";
import { readSelf, readUser } from "./read.ts";

export const userVerbs = bind(userCalls, {
  list: listUserViews,
  create: createUser,
  readSelf,
  read: readUser,
  change: changeUser,
  disable: disableUser,
  credit: creditUser,
  createToken: createUserToken,
  revokeTokens: revokeUserTokens,
  resetFactors,
});

export const selfVerbs = bind(selfCalls, { change: changeSelf });
