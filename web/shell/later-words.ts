// Words of those parts of the frame that are fetched when they are first shown.
import { words } from "../core/words.ts";
import { over } from "../kit/first-words.ts";
import { t as shell } from "./words.ts";

interface Capturing {
  what: string;
  /** `1 / 3` */
  done: string;
  until: string;
  by: string;
}

export const t = over(
  shell,
  words("frame", "later", {
    moreOf: (count: number) => `${count} more`,
    less: "Less",
    code: "Redemption code",
    wrongCode: "This code is invalid, expired or already used.",
    usedByYou: "You have used this code already.",
    redeemed: (amount: string) => `${amount} added to your balance`,
    theme: "Theme",
    system: "System",
    light: "Light",
    dark: "Dark",
    local: (name: string) => `Local (${name})`,
    density: "Density",
    normal: "Normal",
    compact: "Compact",
    signOut: "Sign out",
    shortcuts: "Keyboard shortcuts",
    capturing: ({ what, done, until, by }: Capturing) =>
      `${by} is capturing request content: ${what}, ${done}, until ${until}.`,
    ofEveryone: "all requests",
    stopCapture: "Stop and delete",
    nothing: "No results.",
    onlySecure: "API keys can only be searched over HTTPS.",
    open: (id: string) => `Open ${id}`,
    keys: {
      palette: "Search or jump to",
      search: "Search this list",
      walk: "Next or previous item",
      close: "Close",
      jump: (name: string) => `Go to ${name}`,
      help: "Show shortcuts",
    },
  }),
);
