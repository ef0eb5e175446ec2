// Ways into somebody's account, as operators look at them and end them: the calls.
import { Type } from "../../core/schema.ts";
import { callsOf } from "../call.ts";
import { removed } from "../contract/basics.ts";
import { IdentityView } from "../oauth/contract.ts";
import { SecondFactorView } from "../second-factor/contract.ts";
import { SessionView } from "../session/contract.ts";

const { call, list } = callsOf("Accounts");

export const personCalls = {
  readFactors: call("GET /api/user/{id}/second-factor", "Read an account's second factors", {
    permission: "people.read",
    answer: SecondFactorView,
  }),
  removeFactor: call(
    "DELETE /api/user/{id}/second-factor/{part}",
    "Remove one second factor of an account",
    {
      permission: "second_factors.reset",
      description: "`totp` for the app, or the id of a passkey. Ends every session of the account.",
      answer: removed,
    },
  ),
  listSessions: list("GET /api/user/{id}/sessions", "List an account's sessions", {
    permission: "people.read",
    item: SessionView,
    filter: {},
  }),
  endSessions: call("DELETE /api/user/{id}/sessions", "End all sessions of an account", {
    permission: "people.write",
    answer: Type.Object({ ended: Type.Integer() }),
  }),
  endSession: call("DELETE /api/user/{id}/sessions/{part}", "End a session of an account", {
    permission: "people.write",
    answer: removed,
  }),
  listIdentities: list("GET /api/user/{id}/identities", "List who an account is at other sites", {
    permission: "people.read",
    item: IdentityView,
    filter: {},
  }),
  unlinkIdentity: call(
    "DELETE /api/user/{id}/identities/{part}",
    "Unlink another site from an account",
    {
      permission: "people.write",
      description: "Also the last way in. Ends every session of the account.",
      answer: removed,
    },
  ),
};
export type PersonCalls = typeof personCalls;
