// Words that the first view says and other parts too, and how a part adds its own.
import { once, withEnglish, words, type Texts, type Words } from "../core/words.ts";

export const first = words("frame", "common", {
  baseUrl: "Base URL",
  balance: "Balance",
  channel: "Channel",
  channels: "Channels",
  copy: "Copy",
  dismiss: "Dismiss",
  firstSteps: {
    secure: "Secure your sign-in",
    vendor: "Add a vendor",
    key: "Create a key",
    call: "Make your first call",
  },
  firstTokenMedian: "First token, median",
  goOn: "Continue",
  groupBy: "Group by",
  earned: "Margin",
  key: "Key",
  keys: "Keys",
  loading: "Loading",
  model: "Model",
  name: "Name",
  others: "Others",
  overTime: (what: string) => `${what} over time`,
  remove: "Delete",
  requests: "Requests",
  signIn: "Sign in",
  speed: "Speed",
  status: "Status",
  success: "Success",
  time: "Time",
  tokens: "Tokens",
  unnamed: "No channel reached",
  usedOf: (used: string, all: string) => `${used} of ${all}`,
  zone: "Time zone",
});

/** A word of its own stands before one of the same name among those that it shares. */
export function over<Shared extends object, Own extends Texts>(
  shared: () => Shared,
  own: Words<Own>,
): Words<Own, Omit<Shared, keyof Own> & Own> {
  const all = once(shared, (others) => once(own, (now) => ({ ...others, ...now })));
  return withEnglish(() => all()(), own);
}

/** For parts that the first view shows; every other has `pageWords`. */
export const firstWords = <Own extends Texts>(part: string, section: string, en: Own) =>
  over(first, words(part, section, en));
