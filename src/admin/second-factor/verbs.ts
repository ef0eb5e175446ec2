// Second factors of one's own: each call with its function.
import { bind } from "../bind.ts";
import { secondFactorCalls } from "./contract.ts";
import { askOwnPasskey, readOwnFactors, renewRecoveryCodes } from "./own.ts";
import { addOwnPasskey, beginOwnPasskey, removeOwnPasskey } from "./passkey.ts";
import { beginOwnTotp, confirmOwnTotp, removeOwnTotp } from "./totp.ts";

export const secondFactorVerbs = bind(secondFactorCalls, {
  read: readOwnFactors,
  beginTotp: beginOwnTotp,
  confirmTotp: confirmOwnTotp,
  removeTotp: removeOwnTotp,
  beginPasskey: beginOwnPasskey,
  addPasskey: addOwnPasskey,
  removePasskey: removeOwnPasskey,
  askPasskey: askOwnPasskey,
  renewRecoveryCodes,
});
