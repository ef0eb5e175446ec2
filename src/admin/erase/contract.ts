// All that is kept of somebody, as they get it.
import { Type, type Static } from "../../core/schema.ts";
import { ListedAccessToken } from "../access-token/contract.ts";
import { AuditView } from "../audit/contract.ts";
import { momentSchema } from "../contract/basics.ts";
import { KeyView } from "../key/contract.ts";
import { KeptCreditView } from "../ledger/contract.ts";
import { IdentityView } from "../oauth/contract.ts";
import { SecondFactorView } from "../second-factor/contract.ts";
import { SessionView } from "../session/contract.ts";
import { UserView } from "../user/contract.ts";

export const OwnData = Type.Object({
  exported_at: momentSchema,
  account: UserView,
  keys: Type.Array(KeyView),
  access_tokens: Type.Array(ListedAccessToken),
  sessions: Type.Array(SessionView),
  identities: Type.Array(IdentityView),
  second_factor: SecondFactorView,
  credits: Type.Array(KeptCreditView),
  /** What the account itself did, as the audit log has it. */
  acts: Type.Array(AuditView),
});
export type OwnData = Static<typeof OwnData>;
