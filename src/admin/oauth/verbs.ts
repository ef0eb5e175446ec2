// Identities of one's own at other sites: each call with its function.
import { bind } from "../bind.ts";
import { identityCalls } from "./contract.ts";
import { listIdentityViews } from "./list.ts";
import { unlinkIdentity } from "./unlink.ts";

export const identityVerbs = bind(identityCalls, {
  list: listIdentityViews,
  unlink: unlinkIdentity,
});
