// The users of a program of this lineage.
import { isGone, isSetIn, numberIn, secondsIn, cellText, wholeIn } from "../cells.ts";
import { noRates, type SnapshotAccount, type SnapshotIdentity, type Remark } from "../snapshot.ts";
import { dollarsOfUnits } from "../money.ts";
import type { SourceRow, SourceTables } from "../queries.ts";
import type { Lineage } from "./dialect.ts";
import type { Options } from "./options.ts";

const columns = [
  "id username password role status quota group created_at deleted_at aff_quota email",
  "github_id discord_id linux_do_id oidc_id wechat_id telegram_id lark_id",
].flatMap((line) => line.split(" "));

const bcrypt = /^\$2[abxy]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/;
/** With which one of them is delivered, and which the whole world knows. */
const deliveredPassword = "123456";
const deliveredName = "root";

interface Users {
  accounts: SnapshotAccount[];
  identities: SnapshotIdentity[];
  leftUnits: bigint;
  remarks: Remark[];
}

export async function readUsers(
  tables: SourceTables,
  dialect: Lineage,
  options: Options,
): Promise<Users> {
  const users: Users = { accounts: [], identities: [], leftUnits: 0n, remarks: [] };
  const secrets = await readTotp(tables);
  const requestsPerMinute = requestsOf(options);
  const perDollar = options.unitsPerDollar;
  let rewards = 0n;
  for (const row of await tables.rows("users", columns)) {
    const [ref, name] = [cellText(row, "id"), cellText(row, "username")];
    const about = `account ${name}`;
    const units = wholeIn(row, "quota");
    if (isGone(row) || dialect.isDeleted(row)) {
      users.leftUnits += units;
      users.remarks.push({
        about,
        why: `was deleted there; ${dollarsOfUnits(units, perDollar)} stays behind`,
      });
      continue;
    }
    rewards += wholeIn(row, "aff_quota");
    const identities = identitiesOf(row, dialect, options);
    users.identities.push(...identities.links);
    users.remarks.push(...identities.lost.map((why) => ({ about, why })));
    const password = await passwordOf(row);
    if (password.why !== "") users.remarks.push({ about, why: password.why });
    users.accounts.push({
      ref,
      name,
      passwordHash: password.hash,
      isAdmin: numberIn(row, "role") >= 10,
      isEnabled: numberIn(row, "status") === 1,
      group: cellText(row, "group") || "default",
      isUnlimited: false,
      units,
      createdAt: secondsIn(row, "created_at"),
      totp: secrets.get(ref) ?? null,
      hasOtherWayIn: identities.links.length > 0,
      rates: { ...noRates, requestsPerMinute },
    });
  }
  if (rewards > 0n) {
    const worth = dollarsOfUnits(rewards, perDollar);
    const why = `${worth} that users had not yet moved to their balance does not come`;
    users.remarks.push({ about: "rewards for invitations", why });
  }
  return users;
}

async function passwordOf(row: SourceRow): Promise<{ hash: string; why: string }> {
  const hash = cellText(row, "password");
  if (hash === "") return { hash: "", why: "" };
  if (!bcrypt.test(hash)) return { hash: "", why: "its password hash is of no kind known here" };
  const isDelivered =
    cellText(row, "username") === deliveredName &&
    (await Bun.password.verify(deliveredPassword, hash));
  return isDelivered
    ? { hash: "", why: "has the password it was delivered with, which does not come" }
    : { hash, why: "" };
}

async function readTotp(tables: SourceTables): Promise<Map<string, string>> {
  const rows = await tables.rows("two_fas", ["user_id", "secret", "is_enabled", "deleted_at"]);
  const live = rows.filter((row) => isSetIn(row, "is_enabled") && !isGone(row));
  const secrets = live.map(
    (row) =>
      [
        cellText(row, "user_id"),
        cellText(row, "secret")
          .toUpperCase()
          .replace(/[\s=-]/g, ""),
      ] as const,
  );
  return new Map(secrets.filter(([, secret]) => /^[A-Z2-7]{16,256}$/.test(secret)));
}

/** Theirs is for each user in so many minutes. */
function requestsOf(options: Options): number | null {
  const count = Number(options.text("ModelRequestRateLimitCount"));
  const minutes = Number(options.text("ModelRequestRateLimitDurationMinutes") || 1);
  if (!options.isTrue("ModelRequestRateLimitEnabled") || !(count > 0) || !(minutes > 0))
    return null;
  return Math.max(1, Math.floor(count / minutes));
}

function identitiesOf(
  row: SourceRow,
  dialect: Lineage,
  options: Options,
): { links: SnapshotIdentity[]; lost: string[] } {
  const owner = cellText(row, "id");
  const links: SnapshotIdentity[] = [];
  const lost: string[] = [];
  const sites = [
    { provider: "github", issuer: "https://api.github.com", subject: cellText(row, "github_id") },
    { provider: "discord", issuer: "https://discord.com", subject: cellText(row, "discord_id") },
    {
      provider: "linuxdo",
      issuer: "https://connect.linux.do",
      subject: cellText(row, "linux_do_id"),
    },
  ];
  for (const site of sites.filter(({ subject }) => subject !== "")) {
    const isSubject = dialect.hasSubjects && /^\d+$/.test(site.subject);
    if (isSubject) links.push({ ref: `${owner}-${site.provider}`, owner, ...site });
    else lost.push(`its ${site.provider} is a name, not a number, and a name may change hands`);
  }
  const issuer = issuerOf(options);
  const subject = cellText(row, "oidc_id");
  if (subject !== "" && issuer !== "") {
    links.push({ ref: `${owner}-oidc`, owner, provider: "oidc", issuer, subject });
  }
  for (const site of ["wechat", "telegram", "lark"]) {
    if (cellText(row, `${site}_id`) !== "") lost.push(`signing in through ${site} has no equal`);
  }
  return { links, lost };
}

/** The one issuer that they know. */
export function issuerOf(options: Options): string {
  const address = options.text("oidc.well_known") || options.text("OidcWellKnown");
  return address.replace(/\/\.well-known\/.*$/, "");
}
