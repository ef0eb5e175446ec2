// Words of the page of roles.
import type { Permission } from "../../../src/admin/contract.ts";
import { pageWords } from "../../kit/page-words.ts";

type PermissionWords = Readonly<Record<Permission, string>>;

const english: PermissionWords = {
  "people.read": "See accounts, invitations and roles",
  "people.write": "Create, edit and disable accounts, invite",
  "people.erase": "Delete accounts permanently",
  "sign_in_links.make": "Create sign-in links",
  "second_factors.reset": "Reset two-factor authentication",
  "access_tokens.make": "Create access tokens for others",
  "roles.write": "Create, edit and assign roles",
  "keys.read": "See everyone's keys",
  "keys.disable": "Disable keys",
  "keys.write": "Create, edit and revoke keys of others",
  "budgets.read": "See everyone's budgets",
  "budgets.write": "Create and edit budgets of others",
  "usage.read": "See everyone's requests, tasks and usage",
  "requests.end": "End requests and tasks, resend webhooks",
  "contents.read": "Read captured prompts and answers",
  "contents.capture": "Capture prompts and answers",
  "money.read": "See balances, costs, prices and the ledger",
  "money.write": "Add and deduct credit, create codes",
  "prices.write": "Set prices",
  "channels.read": "See channels, groups and routes",
  "channels.write": "Create, edit and test channels",
  "groups.write": "Edit groups and move accounts and keys",
  "site.write": "Write announcements and model notes",
  "audit.read": "Read the audit trail",
  "settings.read": "See settings, nodes and notices",
  "settings.write": "Reload settings, test mail and notices",
  "settings.change": "Change settings",
  "gateway.import": "Import from another gateway",
  "gateway.backup": "Back up and restore",
};

export const t = pageWords("roles", "page", {
  make: "New role",
  description: "Description",
  makeTitle: "New role",
  permissionCount: "Permissions",
  builtIn: "Built in",
  builtInText: "Built-in roles cannot be changed.",
  custom: "Custom",
  intro: "A role grants permissions beyond a person's own account.",
  saved: (name: string) => `${name} was saved`,
  removeEffect: "Only a role that nobody has can be deleted.",
  empty: "No roles",
  ownOnly: "You can only grant permissions you have yourself.",
  backupIsRoot: "“Back up and restore” is equal to root: a backup contains every secret.",
  everything: "All",
  areas: {
    people: "People",
    keys: "Keys and budgets",
    usage: "Usage and contents",
    money: "Money",
    routing: "Channels and groups",
    gateway: "The gateway",
  },
  fields: {
    permissions: "Permissions",
  },
  hints: {
    name: "Lowercase letters, digits and -, such as front-desk.",
    description: "What the role is for.",
  },
  permissionNames: english,
  about: {
    user: "Own account only.",
    support: "Sees everything but secrets and money, disables keys, sends sign-in links.",
    billing: "Sees people, usage and money; adds and deducts credit.",
    "read-only": "Sees everything but secrets and changes nothing.",
    admin: "Runs the gateway and the accounts of members.",
    root: "Everything.",
  },
});
