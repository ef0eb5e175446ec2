// Words of the first steps.
import { plural } from "../../core/plural.ts";
import { pageWords } from "../../kit/page-words.ts";

export const t = pageWords("start", "page", {
  allowPrivate: "Allow this private address",
  list: "Steps",
  done: "done",
  skip: "Skip",
  next: "Next",
  finish: "Go to overview",
  secureText:
    "The password of this account was shown once, when the gateway first started. Store it " +
    "safely, or add a passkey: nothing to remember and nothing to type.",
  keepPassword: "I saved the password",
  password: "Your password",
  passwordHint: "To confirm it's you.",
  noPasskey: "Passkeys require HTTPS or localhost. You can add one later under Account.",
  toLocalhost: (address: string) => `Continue at ${address}`,
  codes: "Recovery codes",
  changePassword: "Change the password",
  isSecure: "A second factor is set up.",
  vendorText:
    "Until you add a channel, a built-in sandbox responds at realistic prices. Your first " +
    "channel replaces it.",
  sandbox: "Continue with the sandbox",
  vendor: "Vendor",
  vendorKey: "API key",
  vendorKeyHint: "Encrypted when saved and never shown again.",
  modelsHint: "One per line. You can change them later.",
  look: "Fetch models",
  save: "Save the channel",
  saved: (name: string) => `${name} was added`,
  foundModels: (count: string) =>
    `${plural(count, { one: "1 model", other: `${count} models` })} added from the vendor.`,
  works: (ms: string) => `It works: responded in ${ms}.`,
  keyWorks: (ms: string) => `Key accepted in ${ms}.`,
  reached: (ms: string) => `The address responds in ${ms}.`,
  fails: (reason: string) => `Test failed: ${reason}`,
  hasVendor: (count: string) => `Channels: ${count}.`,
  keyText: "Your apps call the gateway with a key. Usage is charged to the account that owns it.",
  keyName: "Key name",
  keyUsual: "first app",
  make: "Create key",
  agents: "Set up a coding agent",
  agentsText:
    "One command configures an agent on the machine where it runs; --undo restores the previous " +
    "settings. The key is read from this variable.",
  callText: "This is the call your app would make. Send it from here to see the response.",
  withOwn: "Uses the key you just created.",
  withPage: "Uses a temporary key that ends with your session.",
  question: "Question",
  hello: "Say hello, and one thing that a gateway is good for.",
  answer: "Answer",
  cost: (money: string) => `It cost ${money}.`,
  trace: "View trace",
  play: "Continue in the playground",
  noModels: "No models available. Add a vendor first.",
});
