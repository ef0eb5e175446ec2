// What people do with second factors of their own, and what the reference says of it.
import type { ReferenceEntry } from "../../core/reference-entry.ts";
import { Type } from "../../core/schema.ts";
import { nothing, removed } from "../contract/basics.ts";
import { verb } from "../verb.ts";
import * as contract from "./contract.ts";
import { askOwnPasskey, readOwnFactors, renewRecoveryCodes } from "./own.ts";
import { addOwnPasskey, beginOwnPasskey, passkeyChecker, removeOwnPasskey } from "./passkey.ts";
import { proofChecker } from "./prove.ts";
import { questionChecker } from "./sign-in.ts";
import { beginOwnTotp, codeChecker, confirmOwnTotp, removeOwnTotp } from "./totp.ts";

const tag = "Signing in";

/** Of every change of what an account proves itself with. */
const proven = {
  tag,
  description: "Needs the password, or a second factor.",
  takes: "ownChange",
  body: { schema: proofChecker.schema, example: { password: "correct horse battery staple" } },
} as const;

export const askPasskeyEntry: ReferenceEntry = {
  tag,
  summary: "Ask what a passkey has to sign",
  body: { schema: questionChecker.schema, example: {} },
  answer: contract.PasskeyAsk,
};

export const secondFactors = {
  read: verb({
    tag,
    summary: "Read one's second factors",
    takes: "nothing",
    answer: contract.SecondFactorView,
    run: readOwnFactors,
  }),
  beginTotp: verb({
    ...proven,
    summary: "Begin with an authenticator app",
    answer: contract.TotpBegun,
    run: beginOwnTotp,
  }),
  confirmTotp: verb({
    tag,
    summary: "Confirm the authenticator app by a code of it",
    takes: "ownChange",
    body: { schema: codeChecker.schema, example: { code: "123456" } },
    answer: contract.EnrolledFactor,
    run: confirmOwnTotp,
  }),
  removeTotp: verb({
    ...proven,
    summary: "Remove the authenticator app",
    answer: nothing,
    run: removeOwnTotp,
  }),
  beginPasskey: verb({
    ...proven,
    summary: "Ask how to make a passkey",
    answer: contract.PasskeyAsk,
    run: beginOwnPasskey,
  }),
  addPasskey: verb({
    tag,
    summary: "Add a passkey",
    takes: "ownChange",
    body: {
      schema: passkeyChecker.schema,
      example: { ticket: "tkt_example", name: "phone", passkey: {} },
    },
    answer: contract.EnrolledPasskey,
    run: addOwnPasskey,
  }),
  removePasskey: verb({
    ...proven,
    summary: "Remove a passkey",
    answer: removed,
    run: removeOwnPasskey,
  }),
  askPasskey: verb({
    tag,
    summary: "Ask what a passkey has to sign, to prove a change",
    takes: "ownChange",
    body: { schema: Type.Object({}), example: {} },
    answer: contract.PasskeyAsk,
    run: askOwnPasskey,
  }),
  renewRecoveryCodes: verb({
    ...proven,
    summary: "Make new recovery codes",
    answer: contract.RecoveryCodes,
    run: renewRecoveryCodes,
  }),
};
