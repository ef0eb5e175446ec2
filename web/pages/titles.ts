// Titles of all pages, also of those that are not there yet.
import { words } from "../core/words.ts";

export const pageTitles = words("frame", "titles", {
  overview: "Overview",
  requests: "Requests",
  live: "Live",
  playground: "Playground",
  keys: "Keys",
  usage: "Usage",
  media: "Videos and images",
  assets: "Assets",
  models: "Models",
  channels: "Channels",
  virtual: "Virtual models",
  prices: "Prices",
  groups: "Groups",
  people: "People",
  roles: "Roles",
  codes: "Invitations and codes",
  budgets: "Budgets",
  ledger: "Ledger",
  webhooks: "Webhooks",
  audit: "Audit trail",
  announcements: "Announcements",
  settings: "Settings",
  nodes: "Nodes",
  operations: "Maintenance",
  status: "Status",
  start: "First steps",
  organisation: "Organisation",
  account: "Account",
});

export type PageName = keyof ReturnType<typeof pageTitles>;

export function titleOf(name: PageName): string {
  return pageTitles()[name];
}
