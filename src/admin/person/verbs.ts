// Ways into somebody's account: each call with its function.
import { bind } from "../bind.ts";
import { personCalls } from "./contract.ts";
import { readFactorsOf, removeFactorOf } from "./factors.ts";
import { listIdentitiesOf, unlinkIdentityOf } from "./identities.ts";
import { endSessionOf, endSessionsOf, listSessionsOf } from "./sessions.ts";

export const personVerbs = bind(personCalls, {
  readFactors: readFactorsOf,
  removeFactor: removeFactorOf,
  listSessions: listSessionsOf,
  endSessions: endSessionsOf,
  endSession: endSessionOf,
  listIdentities: listIdentitiesOf,
  unlinkIdentity: unlinkIdentityOf,
});
