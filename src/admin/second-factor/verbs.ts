// What people do with second factors of their own, and what the reference says of it.
import type { ReferenceEntry } from "../../core/reference-entry.ts";
import { Type } from "../../core/schema.ts";
import { nothing, removed } from "../contract/basics.ts";
import { verbsOf } from "../verb.ts";
import * as contract from "./contract.ts";
import { askOwnPasskey, readOwnFactors, renewRecoveryCodes } from "./own.ts";
import { addOwnPasskey, beginOwnPasskey, passkeyChecker, removeOwnPasskey } from "./passkey.ts";

import { questionChecker } from "./sign-in.ts";
import { beginOwnTotp, codeChecker, confirmOwnTotp, removeOwnTotp } from "./totp.ts";

const tag = "Signing in";
const { verb } = verbsOf(tag);

/** Of every change of what an account proves itself with. */
const proven = {
  description: "Needs the password, or a second factor.",
  body: contract.proofBody,
} as const;

export const askPasskeyEntry: ReferenceEntry = {
  tag,
  summary: "Ask what a passkey has to sign",
  body: { schema: questionChecker.schema, example: {} },
  answer: contract.PasskeyAsk,
};

export const secondFactorVerbs = {
  read: verb("Read one's second factors", "nothing", readOwnFactors, {
    answer: contract.SecondFactorView,
  }),
  beginTotp: verb("Begin with an authenticator app", "ownChange", beginOwnTotp, {
    ...proven,
    answer: contract.TotpBegun,
  }),
  confirmTotp: verb("Confirm the authenticator app by a code of it", "ownChange", confirmOwnTotp, {
    body: { schema: codeChecker.schema, example: { code: "123456" } },
    answer: contract.EnrolledFactor,
  }),
  removeTotp: verb("Remove the authenticator app", "ownChange", removeOwnTotp, {
    ...proven,
    answer: nothing,
  }),
  beginPasskey: verb("Ask how to make a passkey", "ownChange", beginOwnPasskey, {
    ...proven,
    answer: contract.PasskeyAsk,
  }),
  addPasskey: verb("Add a passkey", "ownChange", addOwnPasskey, {
    body: {
      schema: passkeyChecker.schema,
      example: { ticket: "tkt_example", name: "phone", passkey: {} },
    },
    answer: contract.EnrolledPasskey,
  }),
  removePasskey: verb("Remove a passkey", "ownChange", removeOwnPasskey, {
    ...proven,
    answer: removed,
  }),
  askPasskey: verb(
    "Ask what a passkey has to sign, to prove a change",
    "ownChange",
    askOwnPasskey,
    { body: { schema: Type.Object({}), example: {} }, answer: contract.PasskeyAsk },
  ),
  renewRecoveryCodes: verb("Make new recovery codes", "ownChange", renewRecoveryCodes, {
    ...proven,
    answer: contract.RecoveryCodes,
  }),
};
