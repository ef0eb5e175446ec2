// Words of the sign-in page.
import { pageWords } from "../../kit/page-words.ts";

export const t = pageWords("signIn", "page", {
  registrationOff: "Registration is off here. Ask who invited you to allow it.",
  to: (name: string) => `Sign in to ${name}`,
  passkey: "Sign in with a passkey",
  or: "or",
  with: (name: string) => `Continue with ${name}`,
  expired: "Your session expired. Sign in to continue.",
  code: "Code",
  codeHint: "From your authenticator app, or one of your recovery codes.",
  back: "Back",
  register: "Create an account",
  newPassword: "At least 8 characters.",
  invitation: "Invitation",
  hints: {
    invitation: "The code you received.",
  },
  have: "I already have an account",
  forgot: "Forgot your password? Ask the operator of this gateway to reset it.",
  forgotRoot: "Root signs in by the link that sluice user link root prints on the server.",
  forgotten: "Forgot your password?",
  byMail: "Email me a sign-in link",
  sendLetter: "Send email",
  who: "Username or e-mail address",
  asks: {
    reset: "We'll email you a link to set a new password.",
    mail: "We'll email you a sign-in link. Open it in this browser.",
  },
  sent: {
    reset:
      "If the account exists and has an e-mail address, we sent a link. It works for 30 minutes.",
    mail:
      "If the account exists and has an e-mail address, we sent a link. Open it in this browser " +
      "within 30 minutes.",
  },
  letters: {
    email: (name: string) => `Confirm your address for ${name}`,
    reset: (name: string) => `New password for ${name}`,
    mail: (name: string) => `Sign in to ${name}`,
  },
  prove: "Confirm the address",
  proveText: "Press the button to confirm that this e-mail address is yours.",
  proven: "The e-mail address is confirmed",
  resetText: "Setting a new password signs you out everywhere.",
  setPassword: "Set the password",
  mailText: "Press the button to sign in.",
  digits: "Code from the e-mail",
  digitsHint: "You opened the link in a different browser.",
  joining: {
    open: "You are invited into an organisation. Sign in or create an account to join it.",
    invitation:
      "You are invited into an organisation. Sign in to your account to join it. A new account " +
      "needs an invitation code of this gateway as well: ask whoever invited you.",
    off:
      "You are invited into an organisation. Sign in to your account to join it. New accounts " +
      "are made by the operator of this gateway: ask for one.",
  },
  emailRequired: "We'll email you to confirm it.",
  emailOptional: "Lets you reset your password.",
  linkOver:
    "This link no longer works: it was already used or has expired. Sign in with your password, " +
    "or ask for a new link.",
  linkOther: (name: string) =>
    `You are signed in as ${name}. The link signs you out and signs in the account it was ` +
    "created for.",
  linkUse: "Use link",
  linkAgain: "Try again",
  byPassword: "Sign in with password",
  stay: (name: string) => `Stay signed in as ${name}`,
  up: "All systems operational",
  down: "Paid requests are paused",
  docs: "API reference",
  oauth: (code: string) => `The other site refused the sign-in (${code}). Try again.`,
});
