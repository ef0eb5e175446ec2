// Access tokens of one's own: each call with its function.
import { bind } from "../bind.ts";
import { accessTokenCalls } from "./contract.ts";
import { createToken } from "./create.ts";
import { listTokenViews } from "./list.ts";
import { revokeToken } from "./revoke.ts";

export const accessTokenVerbs = bind(accessTokenCalls, {
  list: listTokenViews,
  create: createToken,
  revoke: revokeToken,
});
