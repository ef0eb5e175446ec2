// The pages of the console, in the order of the menu. A page is a folder with a `page.tsx` that
// exports `Page`; its line here makes it known, and the build finds its styles in
// `page.css`.
import type { ComponentType } from "preact";
import type { OwnSeatView, Permission } from "../../src/admin/contract.ts";
import type { IconName } from "../kit/icon.tsx";
import type { PageName } from "./titles.ts";

export interface PageEntry {
  name: PageName;
  icon: IconName;
  /** People who see it: everyone, those who are signed in, or those with a permission. */
  for: "visitor" | "user" | Permission;
  /** Roles in an organisation that see it there; otherwise it is a person's own. */
  seats?: readonly OwnSeatView["role"][];
  /** Part of the menu: above, among the operator's, or only in the palette. */
  part: "own" | "run" | "none";
  /** The second letter of its jump: `g k`. */
  letter?: string;
  /** A file of its own, fetched when the page is first opened. */
  load(): Promise<{ Page: ComponentType }>;
}

/** The operator's smaller pages in two files: together they are a fifth smaller on the wire. */
const operators = () => import("./operator-pages.ts");
const people = () => import("./people-pages.ts");

const made = () => import("./made-pages.ts");

const leaders = ["owner", "admin"] as const;
const holders = [...leaders, "member"] as const;
const overseers = [...leaders, "viewer"] as const;
const everySeat = [...holders, "viewer"] as const;

export const pages: readonly PageEntry[] = [
  {
    name: "overview",
    icon: "overview",
    for: "user",
    seats: holders,
    part: "own",
    letter: "o",
    load: () => import("./overview/page.tsx"),
  },
  {
    name: "requests",
    icon: "requests",
    for: "user",
    seats: holders,
    part: "own",
    letter: "r",
    load: () => import("./requests/page.tsx"),
  },
  {
    name: "live",
    icon: "live",
    for: "usage.read",
    part: "run",
    letter: "l",
    load: async () => ({ Page: (await operators()).LivePage }),
  },
  {
    name: "playground",
    icon: "playground",
    for: "user",
    part: "own",
    letter: "p",
    load: () => import("./playground/page.tsx"),
  },
  {
    name: "keys",
    icon: "keys",
    for: "user",
    seats: holders,
    part: "own",
    letter: "k",
    load: () => import("./keys/page.tsx"),
  },
  {
    name: "usage",
    icon: "usage",
    for: "user",
    seats: everySeat,
    part: "own",
    letter: "u",
    load: () => import("./usage/page.tsx"),
  },
  {
    name: "media",
    icon: "media",
    for: "user",
    seats: holders,
    part: "own",
    letter: "v",
    load: async () => ({ Page: (await made()).MediaPage }),
  },
  {
    name: "assets",
    icon: "assets",
    for: "user",
    seats: leaders,
    part: "own",
    letter: "s",
    load: async () => ({ Page: (await made()).AssetsPage }),
  },
  {
    name: "models",
    icon: "models",
    for: "visitor",
    seats: everySeat,
    part: "own",
    letter: "m",
    load: () => import("./models/page.tsx"),
  },
  {
    name: "channels",
    icon: "channels",
    for: "channels.read",
    part: "run",
    letter: "c",
    load: () => import("./channels/page.tsx"),
  },
  {
    name: "virtual",
    icon: "link",
    for: "channels.read",
    part: "run",
    load: async () => ({ Page: (await operators()).VirtualPage }),
  },
  {
    name: "prices",
    icon: "prices",
    for: "money.read",
    part: "run",
    load: () => import("./prices/page.tsx"),
  },
  {
    name: "groups",
    icon: "groups",
    for: "channels.read",
    part: "run",
    load: async () => ({ Page: (await people()).GroupsPage }),
  },
  {
    name: "people",
    icon: "people",
    for: "people.read",
    part: "run",
    load: async () => ({ Page: (await people()).PeoplePage }),
  },
  {
    name: "roles",
    icon: "lock",
    for: "people.read",
    part: "run",
    load: async () => ({ Page: (await made()).RolesPage }),
  },
  {
    name: "codes",
    icon: "codes",
    for: "people.read",
    part: "run",
    load: async () => ({ Page: (await people()).CodesPage }),
  },
  {
    name: "budgets",
    icon: "budgets",
    for: "user",
    seats: overseers,
    part: "own",
    letter: "b",
    load: () => import("./budgets/page.tsx"),
  },
  {
    name: "ledger",
    icon: "ledger",
    for: "user",
    seats: everySeat,
    part: "own",
    load: () => import("./ledger/page.tsx"),
  },
  {
    name: "organisation",
    icon: "nodes",
    for: "user",
    seats: everySeat,
    part: "own",
    load: () => import("./organisation/page.tsx"),
  },
  {
    name: "webhooks",
    icon: "webhooks",
    for: "user",
    seats: leaders,
    part: "own",
    letter: "w",
    load: async () => ({ Page: (await made()).WebhooksPage }),
  },
  {
    name: "audit",
    icon: "audit",
    for: "audit.read",
    part: "run",
    load: async () => ({ Page: (await people()).AuditPage }),
  },
  {
    name: "announcements",
    icon: "announcements",
    for: "settings.read",
    part: "run",
    load: async () => ({ Page: (await made()).AnnouncementsPage }),
  },
  {
    name: "settings",
    icon: "settings",
    for: "settings.read",
    part: "run",
    load: async () => ({ Page: (await operators()).SettingsPage }),
  },
  {
    name: "operations",
    icon: "refresh",
    for: "gateway.backup",
    part: "run",
    load: () => import("./operations/page.tsx"),
  },
  {
    name: "nodes",
    icon: "nodes",
    for: "settings.read",
    part: "none",
    load: async () => ({ Page: (await operators()).NodesPage }),
  },
  {
    name: "status",
    icon: "status",
    for: "visitor",
    part: "own",
    load: () => import("./status/page.tsx"),
  },
  {
    name: "start",
    icon: "start",
    for: "channels.write",
    part: "none",
    load: () => import("./start/page.tsx"),
  },
  {
    name: "account",
    icon: "account",
    for: "user",
    part: "none",
    letter: "a",
    load: () => import("./account/page.tsx"),
  },
];

export const signInPage = () => import("./sign-in/page.tsx");
