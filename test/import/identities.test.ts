// People who signed in through another site over there do so here, and come to their own account.
import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Browser } from "../harness/browser.ts";
import { runCommand } from "../harness/command.ts";
import { startGateway, temporaryFolder } from "../harness/gateway.ts";
import { RealIssuer } from "../harness/oauth/real-issuer.ts";
import { fetchCallback } from "../harness/oauth/visit.ts";
import { LineageDatabase } from "./lineage-database.ts";

setDefaultTimeout(120_000);

const origin = "https://gate.example";

test.each(["oidc", "corp"])("a link to an issuer opens the imported account: %s", async (name) => {
  await using issuer = await RealIssuer.start(`${origin}/api/oauth/${name}`);
  const folder = temporaryFolder();
  const path = join(folder, "source.db");
  using database = new LineageDatabase(path, "new-api");
  const wellKnown = `${issuer.url}/.well-known/openid-configuration`;
  const { subject } = issuer.user;
  const isOwn = name === "corp";
  const oidc_id = isOwn ? "" : subject;
  database.add("users", { username: "linked", password: "", quota: 10, oidc_id });
  database.option("oidc.well_known", isOwn ? "" : wellKnown);
  database.option("oidc.client_id", isOwn ? "" : "client");
  if (isOwn) {
    database.add("custom_oauth_providers", { slug: name, client_id: "x", well_known: wellKnown });
    database.add("user_oauth_bindings", { user_id: 1, provider_id: 1, provider_user_id: subject });
  }
  const config = [
    'sandbox: "off"',
    `server: { public_url: "${origin}" }`,
    "oauth:",
    "  providers:",
    `    - ${issuer.config(name)}`,
  ];
  await using gateway = await startGateway({ config: `${config.join("\n")}\n` });
  const where = { folder: gateway.folder };
  const { out } = await runCommand(where, "import", "new-api", "--from", path);
  expect(out).toContain("identities: 1 found: 1 made");
  expect(out).toContain(`- name: ${name}`);
  expect(out).not.toContain("has no way in");
  const browser = new Browser(gateway.url, { origin });
  const answer = await browser.call("GET", await fetchCallback(browser, name));
  expect(answer).toMatchObject({ success: true, data: { username: "linked", quota_micros: 20 } });
  rmSync(folder, { recursive: true, force: true });
});
