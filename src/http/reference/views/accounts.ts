// Accounts, their keys and how people get in, as the control plane shows them.
import type * as contract from "../../../admin/contract.ts";
import { Type } from "../../../core/schema.ts";
import { anyObject, orNull, shapeOf, text, whole, word } from "../operation.ts";
import { moment, money, rateFields, role, status } from "./basics.ts";

const keyFields = {
  id: text(),
  name: text(),
  shown: text("Enough to recognise the key by."),
  account: text("The user name of the account that pays."),
  group: text(),
  unlimited: Type.Boolean(),
  quota_micros: orNull(money),
  used_micros: money,
  held_micros: money,
  models: orNull(Type.Array(text())),
  expires_at: orNull(moment),
  allow_ips: orNull(Type.Array(text())),
  status,
  declared: Type.Boolean(),
  created_at: moment,
  ...rateFields,
};

export const key = shapeOf<contract.KeyView>()(Type.Object(keyFields));
export const createdKey = shapeOf<contract.CreatedKey>()(
  Type.Object({ ...keyFields, key: text("The full text, shown this once.") }),
);

const selfFields = {
  id: text(),
  username: text(),
  role,
  group: text(),
  quota_micros: orNull(money),
  held_micros: money,
  used_micros: money,
};

export const self = shapeOf<contract.SelfView>()(Type.Object(selfFields));
export const user = shapeOf<contract.UserView>()(
  Type.Object({ ...selfFields, status, created_at: moment, ...rateFields }),
);

export const credit = shapeOf<contract.CreditView>()(
  Type.Object({ id: text(), micros: money, quota_micros: orNull(money) }),
);

const tokenFields = { id: text(), name: text(), expires_at: orNull(moment) };

export const createdToken = shapeOf<contract.AccessTokenView>()(
  Type.Object({ ...tokenFields, token: text("The full text, shown this once.") }),
);
export const token = shapeOf<contract.ListedAccessToken>()(
  Type.Object({ ...tokenFields, created_at: moment }),
);

export const session = shapeOf<contract.SessionView>()(
  Type.Object({
    id: text(),
    current: Type.Boolean(),
    ip: text(),
    agent: text(),
    created_at: moment,
    last_used_at: moment,
    expires_at: moment,
  }),
);

const invitationFields = {
  id: text(),
  note: text(),
  uses: whole(),
  uses_max: whole(),
  expires_at: orNull(moment),
  created_at: moment,
};

export const invitation = shapeOf<contract.InvitationView>()(Type.Object(invitationFields));
export const createdInvitation = shapeOf<contract.CreatedInvitation>()(
  Type.Object({ ...invitationFields, code: text("The full text, shown this once.") }),
);

export const provider = shapeOf<contract.ProviderView>()(
  Type.Object({ name: text(), type: text() }),
);

export const identity = shapeOf<contract.IdentityView>()(
  Type.Object({
    id: text(),
    provider: text(),
    username: text(),
    display_name: text(),
    created_at: moment,
    last_used_at: moment,
  }),
);

const factors = Type.Array(word("totp", "passkey"));

export const secondFactorAsk = shapeOf<contract.SecondFactorAsk>()(
  Type.Object({ second_factor: factors, ticket: text() }),
);

export const passkeyAsk = Type.Object({ ticket: text(), passkey: anyObject });

export const secondFactor = shapeOf<contract.SecondFactorView>()(
  Type.Object({
    second_factor: factors,
    required: Type.Boolean(),
    totp: Type.Object({ enabled: Type.Boolean(), enabled_at: orNull(moment) }),
    passkeys: Type.Array(
      Type.Object({
        id: text(),
        name: text(),
        created_at: moment,
        last_used_at: orNull(moment),
      }),
    ),
    recovery_codes_left: whole(),
  }),
);

export const totpBegun = shapeOf<contract.TotpBegun>()(
  Type.Object({ secret: text(), uri: text() }),
);

export const recoveryCodes = shapeOf<contract.RecoveryCodes>()(
  Type.Object({ recovery_codes: Type.Array(text()) }),
);

const enrolled = { recovery_codes: orNull(Type.Array(text())) };

export const enrolledFactor = shapeOf<contract.EnrolledFactor>()(Type.Object(enrolled));
export const enrolledPasskey = shapeOf<contract.EnrolledPasskey>()(
  Type.Object({ ...enrolled, id: text(), name: text() }),
);
