// What people do with access tokens of their own, and what the reference says of it.
import { removed } from "../contract/basics.ts";
import { tokenChecker } from "../user/access-token.ts";
import { verbsOf } from "../verb.ts";
import { AccessTokenView, ListedAccessToken } from "./contract.ts";
import { createToken } from "./create.ts";
import { listTokenViews } from "./list.ts";
import { revokeToken } from "./revoke.ts";

const { list, verb } = verbsOf("Own account");

export const accessTokenVerbs = {
  list: list("List access tokens", ListedAccessToken, listTokenViews),
  create: verb("Create an access token, for scripts", "optionalBody", createToken, {
    body: { schema: tokenChecker.schema, example: { name: "backup" }, isOptional: true },
    answer: AccessTokenView,
  }),
  revoke: verb("Revoke an access token", "id", revokeToken, { answer: removed }),
};
