// All that is kept of somebody, as they get it, and the calls that delete it for good.
import { Type, type Static } from "../../core/schema.ts";
import { ListedAccessToken } from "../access-token/contract.ts";
import { AuditView } from "../audit/contract.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, removed } from "../contract/basics.ts";
import { KeyView } from "../key/contract.ts";
import { KeptCreditView } from "../ledger/contract.ts";
import { IdentityView } from "../oauth/contract.ts";
import { OwnSeatView } from "../organisation/contract.ts";
import { proofBody, SecondFactorView } from "../second-factor/contract.ts";
import { SessionView } from "../session/contract.ts";
import { UserView } from "../user/contract.ts";

export const OwnData = Type.Object({
  exported_at: momentSchema,
  account: UserView,
  keys: Type.Array(KeyView),
  access_tokens: Type.Array(ListedAccessToken),
  organisations: Type.Array(OwnSeatView),
  sessions: Type.Array(SessionView),
  identities: Type.Array(IdentityView),
  second_factor: SecondFactorView,
  credits: Type.Array(KeptCreditView),
  /** Acts of the account itself, from the audit log. */
  acts: Type.Array(AuditView),
});
export type OwnData = Static<typeof OwnData>;

const EraseInput = Type.Object(
  { username: Type.String({ description: "The account's name, so that it is the right one." }) },
  { additionalProperties: false },
);

const description =
  "Its lines of the ledger stay; its name, keys, sessions, identities, factors, prompts of " +
  "tasks, its seats in organisations with the keys it made there, and the addresses and names " +
  "in its logs go. Refused while work of it is under way, and to the only owner of an " +
  "organisation.";

const { call } = callsOf("Accounts");
const own = callsOf("Own account");

export const eraseCalls = {
  eraseUser: call("POST /api/user/{id}/erase", "Delete an account for good", {
    permission: "people.erase",
    description,
    body: bodyOf(EraseInput, { username: "ann" }),
    answer: removed,
  }),
  exportOwn: own.call("GET /api/user/self/export", "Read all that is kept of oneself", {
    description:
      "The newest thousand of each list. Requests, sums and tasks are read in pages at " +
      "/api/log/self, /api/usage/self and /api/task/self.",
    answer: OwnData,
  }),
};

/** For people in a browser, whose cookie it takes away. */
export const ownEraseCalls = {
  eraseSelf: own.call("POST /api/user/self/erase", "Delete oneself for good", {
    carriers: ["session"],
    description: `${description} Needs the password, or a second factor.`,
    body: proofBody,
    answer: removed,
  }),
};
export type EraseCalls = typeof eraseCalls & typeof ownEraseCalls;
