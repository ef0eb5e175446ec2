// The pages of the console, in the order of the menu. A page is a folder with a `page.tsx` that
// exports `Page`; its line here makes it known, and a line in `styles.css` its styles.
import type { ComponentType } from "preact";
import type { IconName } from "../kit/icon.tsx";
import type { PageName } from "./titles.ts";

export interface PageEntry {
  name: PageName;
  icon: IconName;
  /** The least role that sees it; everyone sees what a visitor sees. */
  role: "visitor" | "user" | "admin" | "root";
  /** Where it stands: above, among the operator's, or only in the palette. */
  part: "own" | "run" | "none";
  /** The second letter of its jump: `g k`. */
  letter?: string;
  /** A file of its own, fetched when the page is first opened. */
  load(): Promise<{ Page: ComponentType }>;
}

export const pages: readonly PageEntry[] = [
  {
    name: "playground",
    icon: "playground",
    role: "user",
    part: "own",
    letter: "p",
    load: () => import("./playground/page.tsx"),
  },
  {
    name: "keys",
    icon: "keys",
    role: "user",
    part: "own",
    letter: "k",
    load: () => import("./keys/page.tsx"),
  },
  {
    name: "models",
    icon: "models",
    role: "visitor",
    part: "own",
    letter: "m",
    load: () => import("./models/page.tsx"),
  },
  {
    name: "start",
    icon: "start",
    role: "admin",
    part: "none",
    load: () => import("./start/page.tsx"),
  },
  {
    name: "account",
    icon: "account",
    role: "user",
    part: "none",
    letter: "a",
    load: () => import("./account/page.tsx"),
  },
];

export const signInPage = () => import("./sign-in/page.tsx");
