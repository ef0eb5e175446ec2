// What operators do with the ways into somebody's account, and what the reference says of it.
import { Type } from "../../core/schema.ts";
import { listFields, pages, removed } from "../contract/basics.ts";
import { IdentityView } from "../oauth/contract.ts";
import { SecondFactorView } from "../second-factor/contract.ts";
import { SessionView } from "../session/contract.ts";
import { verbsOf } from "../verb.ts";
import { readFactorsOf, removeFactorOf } from "./factors.ts";
import { listIdentitiesOf, unlinkIdentityOf } from "./identities.ts";
import { endSessionOf, endSessionsOf, listSessionsOf } from "./sessions.ts";

const { verb } = verbsOf("Accounts");

export const personVerbs = {
  listSessions: verb("List an account's sessions", "idAndQuery", listSessionsOf, {
    query: pages,
    answer: Type.Object(listFields(SessionView)),
  }),
  endSession: verb("End a session of an account", "idAndPart", endSessionOf, { answer: removed }),
  endSessions: verb("End all sessions of an account", "id", endSessionsOf, {
    answer: Type.Object({ ended: Type.Integer() }),
  }),
  listIdentities: verb("List who an account is at other sites", "idAndQuery", listIdentitiesOf, {
    query: pages,
    answer: Type.Object(listFields(IdentityView)),
  }),
  unlinkIdentity: verb("Unlink another site from an account", "idAndPart", unlinkIdentityOf, {
    description: "Also the last way in. Ends every session of the account.",
    answer: removed,
  }),
  readFactors: verb("Read an account's second factors", "id", readFactorsOf, {
    answer: SecondFactorView,
  }),
  removeFactor: verb("Remove one second factor of an account", "idAndPart", removeFactorOf, {
    description: "`totp` for the app, or the id of a passkey. Ends every session of the account.",
    answer: removed,
  }),
};
