// Permissions: what a person may do on the gateway beyond its own account, and the roles that come
// with it as sets of them.

export const permissions = [
  "people.read",
  "people.write",
  "people.erase",
  "sign_in_links.make",
  "second_factors.reset",
  "access_tokens.make",
  "roles.write",
  "keys.read",
  "keys.disable",
  "keys.write",
  "budgets.read",
  "budgets.write",
  "usage.read",
  "requests.end",
  "contents.read",
  "contents.capture",
  "money.read",
  "money.write",
  "prices.write",
  "channels.read",
  "channels.write",
  "groups.write",
  "site.write",
  "audit.read",
  "settings.read",
  "settings.write",
  "settings.change",
  "gateway.import",
  "gateway.backup",
] as const;
export type Permission = (typeof permissions)[number];

/** Words of the reference and the documentation for what each lets one do. */
export const permissionWords: Readonly<Record<Permission, string>> = {
  "people.read": "See accounts, their ways in and sessions, invitations and roles.",
  "people.write":
    "Make, change and disable accounts and organisations, end sessions, unlink sites, invite.",
  "people.erase": "Delete accounts for good.",
  "sign_in_links.make": "Make links that sign somebody in.",
  "second_factors.reset": "Take somebody's second factors off.",
  "access_tokens.make": "Make and revoke access tokens of others.",
  "roles.write": "Make roles of one's own permissions, and give roles.",
  "keys.read": "See the keys of every account.",
  "keys.disable": "Disable a key.",
  "keys.write": "Make, change and revoke keys of others.",
  "budgets.read": "See the budgets of every account.",
  "budgets.write": "Make, change and delete budgets of others.",
  "usage.read": "See requests, sums of usage, tasks, callbacks and files of every account.",
  "requests.end": "End requests, cancel and delete tasks, send callbacks again.",
  "contents.read": "Read captured prompts and answers, see tasks' prompts and results, and files.",
  "contents.capture": "Have prompts and answers of any account captured.",
  "money.read": "See balances, costs, prices, multipliers, the ledger and codes for credit.",
  "money.write": "Give credit and take it back, make and delete codes for credit.",
  "prices.write": "Set prices, and take them over from the published list.",
  "channels.read": "See channels, groups, virtual models and where requests go.",
  "channels.write": "Make, change, test and delete channels and virtual models.",
  "groups.write": "Make, change and delete groups, and put accounts and keys into them.",
  "site.write": "Write announcements and notes on models.",
  "audit.read": "Read the audit log.",
  "settings.read": "See settings, nodes, notices, health, and all announcements.",
  "settings.write": "Load the configuration anew, and try mail and notices.",
  "settings.change": "Change settings that give nothing beyond one's own permissions.",
  "gateway.import": "Import from another gateway what one may make by hand.",
  "gateway.backup":
    "Equal to root: take and restore backups, which have every secret; exchange the gateway's own.",
};

const forRootAlone: readonly Permission[] = [
  "sign_in_links.make",
  "access_tokens.make",
  "roles.write",
  "settings.change",
  "gateway.import",
  "gateway.backup",
];

const readings: readonly Permission[] = [
  "people.read",
  "keys.read",
  "usage.read",
  "contents.read",
  "channels.read",
  "audit.read",
  "settings.read",
];

/** The roles that are always there, from the least rights to the most. */
export const builtInRoles = {
  user: [],
  support: [...readings, "keys.disable", "sign_in_links.make"],
  billing: ["people.read", "keys.read", "budgets.read", "usage.read", "money.read", "money.write"],
  "read-only": [...readings, "budgets.read", "money.read"],
  admin: permissions.filter((one) => !forRootAlone.includes(one)),
  root: permissions,
} as const satisfies Record<string, readonly Permission[]>;
type BuiltInRole = keyof typeof builtInRoles;

export const builtInWords: Readonly<Record<BuiltInRole, string>> = {
  user: "Its own account alone.",
  support: "Sees all but secrets and money, disables a key, signs members in by a link.",
  billing: "Sees people, usage and money, gives credit and takes it back.",
  "read-only": "Sees all but secrets, and changes nothing.",
  admin: "Runs the gateway and the accounts of users.",
  root: "Everything.",
};

export function isBuiltIn(name: string): name is BuiltInRole {
  return Object.hasOwn(builtInRoles, name);
}

export function isPermission(text: string): text is Permission {
  return (permissions as readonly string[]).includes(text);
}
