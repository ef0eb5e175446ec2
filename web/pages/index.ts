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
  /** Part of the menu: above, among the operator's, or only in the palette. */
  part: "own" | "run" | "none";
  /** The second letter of its jump: `g k`. */
  letter?: string;
  /** A file of its own, fetched when the page is first opened. */
  load(): Promise<{ Page: ComponentType }>;
}

/** The operator's smaller pages in one file: together they are a fifth smaller on the wire. */
const operators = () => import("./operator-pages.ts");

const made = () => import("./made-pages.ts");

export const pages: readonly PageEntry[] = [
  {
    name: "overview",
    icon: "overview",
    role: "user",
    part: "own",
    letter: "o",
    load: () => import("./overview/page.tsx"),
  },
  {
    name: "requests",
    icon: "requests",
    role: "user",
    part: "own",
    letter: "r",
    load: () => import("./requests/page.tsx"),
  },
  {
    name: "live",
    icon: "live",
    role: "admin",
    part: "run",
    letter: "l",
    load: async () => ({ Page: (await operators()).LivePage }),
  },
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
    name: "usage",
    icon: "usage",
    role: "user",
    part: "own",
    letter: "u",
    load: () => import("./usage/page.tsx"),
  },
  {
    name: "media",
    icon: "media",
    role: "user",
    part: "own",
    letter: "v",
    load: async () => ({ Page: (await made()).MediaPage }),
  },
  {
    name: "assets",
    icon: "assets",
    role: "user",
    part: "own",
    letter: "s",
    load: async () => ({ Page: (await made()).AssetsPage }),
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
    name: "channels",
    icon: "channels",
    role: "admin",
    part: "run",
    letter: "c",
    load: () => import("./channels/page.tsx"),
  },
  {
    name: "virtual",
    icon: "models",
    role: "admin",
    part: "run",
    load: async () => ({ Page: (await operators()).VirtualPage }),
  },
  {
    name: "prices",
    icon: "prices",
    role: "admin",
    part: "run",
    load: () => import("./prices/page.tsx"),
  },
  {
    name: "groups",
    icon: "groups",
    role: "admin",
    part: "run",
    load: async () => ({ Page: (await operators()).GroupsPage }),
  },
  {
    name: "people",
    icon: "people",
    role: "admin",
    part: "run",
    load: async () => ({ Page: (await operators()).PeoplePage }),
  },
  {
    name: "codes",
    icon: "codes",
    role: "admin",
    part: "run",
    load: async () => ({ Page: (await operators()).CodesPage }),
  },
  {
    name: "ledger",
    icon: "ledger",
    role: "user",
    part: "own",
    load: () => import("./ledger/page.tsx"),
  },
  {
    name: "webhooks",
    icon: "webhooks",
    role: "user",
    part: "own",
    letter: "w",
    load: async () => ({ Page: (await made()).WebhooksPage }),
  },
  {
    name: "audit",
    icon: "audit",
    role: "admin",
    part: "run",
    load: async () => ({ Page: (await operators()).AuditPage }),
  },
  {
    name: "announcements",
    icon: "announcements",
    role: "admin",
    part: "run",
    load: async () => ({ Page: (await operators()).AnnouncementsPage }),
  },
  {
    name: "settings",
    icon: "settings",
    role: "admin",
    part: "run",
    load: async () => ({ Page: (await operators()).SettingsPage }),
  },
  {
    name: "nodes",
    icon: "nodes",
    role: "admin",
    part: "none",
    load: async () => ({ Page: (await operators()).NodesPage }),
  },
  {
    name: "status",
    icon: "status",
    role: "visitor",
    part: "own",
    load: () => import("./status/page.tsx"),
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
