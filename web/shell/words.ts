// Words of the frame.
import { firstWords } from "../kit/first-words.ts";

interface Capturing {
  what: string;
  /** `1 / 3` */
  done: string;
  until: string;
  by: string;
}

export const t = firstWords("frame", "shell", {
  pages: "Pages",
  me: "You",
  actingFor: (name: string) => `Acting for ${name}`,
  joinTitle: "An invitation",
  joinText:
    "You followed an invitation into an organisation. By joining you can act for it and make " +
    "keys that it pays for.",
  joinNow: "Join",
  run: "Operations",
  jump: "Search or jump to",
  jumpHint: "Page, name, ID or API key",
  more: "More",
  moreOf: (count: number) => `${count} more`,
  less: "Less",
  redeem: "Redeem a code",
  code: "Redemption code",
  wrongCode: "This code is invalid, expired or already used.",
  usedByYou: "You have used this code already.",
  redeemed: (amount: string) => `${amount} added to your balance`,
  skip: "Skip to content",
  preferences: "Preferences",
  theme: "Theme",
  system: "System",
  light: "Light",
  dark: "Dark",
  language: "Language",
  local: (name: string) => `Local (${name})`,
  density: "Density",
  normal: "Normal",
  compact: "Compact",
  signOut: "Sign out",
  getCredit: "Get credit",
  stepsDone: (done: number, all: number) => `${done} of ${all} done`,
  stepDone: "done",
  lightTheme: "Light theme",
  darkTheme: "Dark theme",
  shortcuts: "Keyboard shortcuts",
  offline: "The gateway is not responding. Retrying.",
  booksBroken: "The ledger does not reconcile: balances may be wrong.",
  booksShow: "Show details",
  lowBalance: (left: string) => `Your balance is low: ${left}.`,
  capturing: ({ what, done, until, by }: Capturing) =>
    `${by} is capturing request content: ${what}, ${done}, until ${until}.`,
  ofEveryone: "all requests",
  stopCapture: "Stop and delete",
  nothing: "No results.",
  onlySecure: "API keys can only be searched over HTTPS.",
  missing: "Page not found",
  missingText: "The address is wrong, or your account has no access.",
  home: "Go to overview",
  broken: "This page could not be loaded",
  brokenText: "The gateway may have been updated.",
  awayText: "It opens automatically once the gateway responds.",
  reload: "Reload",
  open: (id: string) => `Open ${id}`,
  keys: {
    palette: "Search or jump to",
    search: "Search this list",
    walk: "Next or previous item",
    close: "Close",
    jump: (name: string) => `Go to ${name}`,
    help: "Show shortcuts",
  },
});
