// Options of a program of this lineage that our configuration file has as well. It is the
// operator's file, so these are lines to take over by hand, and never a secret.
import type {
  ImportSnapshot,
  SnapshotAccount,
  SnapshotChannel,
  SnapshotKey,
  Remark,
} from "../snapshot.ts";
import type { Options } from "./options.ts";
import { issuerOf } from "./users.ts";

/** Those without a row, which the program has all the same. */
const builtIn = new Map(["default", "vip", "svip"].map((name) => [name, 1]));

interface Standing {
  accounts: readonly SnapshotAccount[];
  keys: readonly SnapshotKey[];
  channels: readonly SnapshotChannel[];
}

/** There is no table of groups: they are named by ratios and by whatever stands in them. */
export function groupsOf(options: Options, { accounts, keys, channels }: Standing) {
  const ratios = options.numbers("GroupRatio") ?? builtIn;
  const names = new Set([
    "default",
    ...ratios.keys(),
    ...accounts.map(({ group }) => group),
    ...keys.flatMap(({ group }) => group ?? []),
    ...channels.flatMap(({ groups }) => groups),
  ]);
  return [...names].map((name) => ({ name, multiplier: ratios.get(name) ?? 1 }));
}

export interface Site {
  name: string;
  type: string;
  client: string;
  issuer?: string;
}

export function configurationOf(
  options: Options,
  custom: readonly Site[],
): ImportSnapshot["configuration"] {
  const issuer = issuerOf(options);
  const sites: Site[] = [
    { name: "github", type: "github", client: options.text("GitHubClientId") },
    { name: "discord", type: "discord", client: options.text("discord.client_id") },
    { name: "linuxdo", type: "discourse", client: options.text("LinuxDOClientId") },
    {
      name: "oidc",
      type: "oidc",
      client: options.text("oidc.client_id") || options.text("OidcClientId"),
      issuer,
    },
    ...custom,
  ];
  const known = sites.filter(({ client }) => client !== "");
  const lines = known.flatMap(({ name, type, client, issuer: at = "" }) => [
    `    - name: ${name}`,
    `      type: ${type}`,
    `      client_id: ${JSON.stringify(client)}`,
    ...(at === "" ? [] : [`      issuer: ${at}`]),
  ]);
  const registration = options.has("RegisterEnabled")
    ? [`accounts: { registration: ${options.isTrue("RegisterEnabled") ? "open" : "off"} }`]
    : [];
  const address = options.text("ServerAddress");
  return [
    ...registration,
    ...(address === "" ? [] : [`server: { public_url: ${JSON.stringify(address)} }`]),
    ...(lines.length > 0 ? ["oauth:", "  providers:", ...lines] : []),
  ];
}

const withoutEqual = [
  ["GroupGroupRatio", "a ratio by the user's and the key's group has no equal"],
  ["group_ratio_setting.group_special_usable_group", "has no equal"],
  ["ModelRequestRateLimitGroup", "limits by group count for each user there, and do not come"],
  ["billing_setting.billing_expr", "prices by an expression do not come: set them by hand"],
  ["tool_price_setting.prices", "prices of tools do not come"],
  ["QuotaForNewUser", "money for new users has no equal"],
  ["SMTPServer", "its mail settings do not come"],
] as const;

export function remarksOf(options: Options, configuration: readonly string[]): Remark[] {
  const remarks: Remark[] = withoutEqual
    .filter(([name]) => options.has(name) && !["{}", "0", "[]"].includes(options.text(name)))
    .map(([name, why]) => ({ about: `option ${name}`, why }));
  if (configuration.includes("oauth:")) {
    const why = "must call back at <public_url>/api/oauth/<name>; change it there, and set secrets";
    remarks.push({ about: "sites to sign in through", why });
  }
  return remarks;
}
