// Letters in English.
import type { MailWords } from "./wording.ts";

const notYou = "If this was not you, you need not do anything: without this mail nothing happens.";
const wasNotYou =
  "If this was not you, set a new password at once and look at your open sessions. If you cannot " +
  "sign in any more, ask whoever runs the gateway.";

const seats = { owner: "an owner", admin: "an admin", member: "a member", viewer: "a viewer" };

export const english: MailWords = {
  verify: ({ name, url }, site) => ({
    subject: `Confirm your address for ${site}`,
    before: [
      `The account ${name} at ${site} gave this as its e-mail address. To confirm that it is ` +
        "yours, open this within 24 hours:",
    ],
    url,
    after: ["If you know of no such account, you need not do anything."],
  }),
  reset: ({ name, url }, site) => ({
    subject: `A new password for ${site}`,
    before: [
      `Somebody asked for a new password of the account ${name} at ${site}. To set one, open ` +
        "this within 30 minutes. It works once.",
    ],
    url,
    after: [notYou],
  }),
  sign_in: ({ name, url, code }, site) => ({
    subject: `Sign in to ${site}`,
    before: [
      `To sign in to ${site} as ${name}, open this within 30 minutes, in the browser in which ` +
        "you asked for it. It works once.",
    ],
    url,
    code,
    after: ["In another browser you are asked for the digits above. Tell them to nobody.", notYou],
  }),
  password_changed: ({ name }, site) => ({
    subject: `Your password for ${site} was changed`,
    before: [`The account ${name} at ${site} has a new password. All its sessions have ended.`],
    after: [wasNotYou],
  }),
  address_changed: ({ name, address }, site) => ({
    subject: `Your address for ${site} was changed`,
    before: [
      address === ""
        ? `The account ${name} at ${site} has no e-mail address any more.`
        : `The account ${name} at ${site} now has the e-mail address ${address} instead of this.`,
    ],
    after: [wasNotYou],
  }),
  new_sign_in: ({ name, ip, browser }, site) => ({
    subject: `A new browser signed in to ${site}`,
    before: [
      `A browser that was not seen before signed in to ${site} as ${name}.`,
      `Browser: ${browser ?? "not known"}`,
      `Address: ${ip}`,
    ],
    after: [wasNotYou],
  }),
  invitation: ({ url }, site) => ({
    subject: `An invitation to ${site}`,
    before: [`You are invited to make an account at ${site}. Open this to make it:`],
    url,
  }),
  organisation_invitation: ({ url, by, organisation, role }, site) => ({
    subject: `An invitation into ${organisation} at ${site}`,
    before: [
      `${by} invites you into the organisation ${organisation} at ${site}, as ${seats[role]}. ` +
        "To join, open this and sign in to your account:",
    ],
    url,
    after: ["If you do not know what this is about, you need not do anything."],
  }),
  low_balance: ({ name, left }, site) => ({
    subject: `${left} left at ${site}`,
    before: [`The account ${name} at ${site} has ${left} left, less than the mark that it set.`],
  }),
  budget_mark: ({ account, budget, whose, percent, spent, limit }, site) => ({
    subject: `${percent} % of the budget ${budget} at ${site}`,
    before: [
      `The budget ${budget} of ${account} at ${site} has reached ${percent} %` +
        `${whose === null ? "" : ` for ${whose}`}: ${spent} of ${limit} is spent.`,
    ],
  }),
  test: ({ by }, site) => ({
    subject: `A test of e-mail from ${site}`,
    before: [`${by} sent this to see whether e-mail of ${site} arrives. It does.`],
  }),
};
