// Sites that an operator of new-api has added by hand, and who people are there.
import { cellText } from "../cells.ts";
import type { SnapshotAccount, SnapshotIdentity, Remark } from "../snapshot.ts";
import type { SourceTables } from "../queries.ts";
import type { Site } from "./settings.ts";

const siteColumns = ["id", "slug", "client_id", "well_known", "user_id_field"];
const bindingColumns = ["id", "user_id", "provider_id", "provider_user_id"];
/** The field that only an issuer of OpenID Connect has, and that never changes hands. */
const subjectField = "sub";

interface Bindings {
  sites: Site[];
  identities: SnapshotIdentity[];
  remarks: Remark[];
}

export async function readBindings(
  tables: SourceTables,
  accounts: readonly SnapshotAccount[],
): Promise<Bindings> {
  const read: Bindings = { sites: [], identities: [], remarks: [] };
  const sites = new Map<string, Site>();
  for (const row of await tables.rows("custom_oauth_providers", siteColumns)) {
    const name = cellText(row, "slug").toLowerCase();
    const issuer = cellText(row, "well_known").replace(/\/\.well-known\/.*$/, "");
    const isIssuer = issuer !== "" && cellText(row, "user_id_field") === subjectField;
    if (!isIssuer || !/^(?!state$)[a-z][a-z0-9-]{0,31}$/.test(name)) {
      const why = "is no issuer of OpenID Connect by its subject; its links do not come";
      read.remarks.push({ about: `site ${name}`, why });
      continue;
    }
    const site = { name, type: "oidc", client: cellText(row, "client_id"), issuer };
    sites.set(cellText(row, "id"), site);
    read.sites.push(site);
  }
  const known = new Set(accounts.map(({ ref }) => ref));
  for (const row of await tables.rows("user_oauth_bindings", bindingColumns)) {
    const site = sites.get(cellText(row, "provider_id"));
    const [owner, subject] = [cellText(row, "user_id"), cellText(row, "provider_user_id")];
    if (!site || !known.has(owner) || subject === "") continue;
    const { name: provider, issuer = "" } = site;
    read.identities.push({ ref: `${owner}-${provider}`, owner, provider, issuer, subject });
  }
  return read;
}
