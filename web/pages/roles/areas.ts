// Permissions in the groups that the form and the detail show them in.
import type { Permission } from "../../../src/admin/contract.ts";
import type { t } from "./words.ts";

type Area = keyof ReturnType<typeof t>["areas"];

export const areas: readonly (readonly [Area, readonly Permission[]])[] = [
  [
    "people",
    [
      "people.read",
      "people.write",
      "people.erase",
      "sign_in_links.make",
      "second_factors.reset",
      "access_tokens.make",
      "roles.write",
    ],
  ],
  ["keys", ["keys.read", "keys.disable", "keys.write", "budgets.read", "budgets.write"]],
  ["usage", ["usage.read", "requests.end", "contents.read", "contents.capture"]],
  ["money", ["money.read", "money.write", "prices.write"]],
  ["routing", ["channels.read", "channels.write", "groups.write"]],
  [
    "gateway",
    [
      "site.write",
      "audit.read",
      "settings.read",
      "settings.write",
      "settings.change",
      "gateway.import",
      "gateway.backup",
    ],
  ],
];
