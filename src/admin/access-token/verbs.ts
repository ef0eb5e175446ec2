// What people do with access tokens of their own, and what the reference says of it.
import { listOf, pages, removed } from "../contract/basics.ts";
import { tokenChecker } from "../user/access-token.ts";
import { verb } from "../verb.ts";
import { AccessTokenView, ListedAccessToken } from "./contract.ts";
import { createToken } from "./create.ts";
import { listTokenViews } from "./list.ts";
import { revokeToken } from "./revoke.ts";

const tag = "Own account";

export const accessTokens = {
  list: verb({
    tag,
    summary: "List access tokens",
    takes: "query",
    query: pages,
    answer: listOf(ListedAccessToken),
    run: listTokenViews,
  }),
  create: verb({
    tag,
    summary: "Create an access token, for scripts",
    takes: "optionalBody",
    body: { schema: tokenChecker.schema, example: { name: "backup" }, isOptional: true },
    answer: AccessTokenView,
    run: createToken,
  }),
  revoke: verb({
    tag,
    summary: "Revoke an access token",
    takes: "id",
    answer: removed,
    run: revokeToken,
  }),
};
