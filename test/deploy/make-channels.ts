// Makes a data folder with a channel of every kind of credential, honest and hostile, by a version
// that took them all:
//   bun test/deploy/make-channels.ts <name> <main.ts of that version>
import { join } from "node:path";
import { Folder } from "../harness/folder.ts";
import { accountFile } from "../harness/clouds/google-account.ts";
import { rootToken, startProcess } from "../harness/gateway.ts";
import { keptChannels } from "./kept-folder.ts";

const [name = "", entry = ""] = process.argv.slice(2);
if (!/^[\w.-]+$/.test(name) || entry === "") throw new Error("name what is made, and its main.ts");

const vertex = { type: "vertex", base_url: "https://aiplatform.googleapis.com" };
const azure = { type: "azure", base_url: "https://res.openai.azure.com" };
const bedrock = {
  type: "bedrock",
  base_url: "https://bedrock-runtime.us-east-1.amazonaws.com",
};
const project = { project: "p" };
const google = accountFile("https://oauth2.googleapis.com", {
  token_uri: "https://oauth2.googleapis.com/token",
});
const secretOfApp = JSON.stringify({ tenant_id: "t", client_id: "c", client_secret: "s" });
const federated = (fields: object) =>
  JSON.stringify({
    type: "external_account",
    audience: "a",
    subject_token_type: "t",
    token_url: "https://sts.googleapis.com/v1/token",
    ...fields,
  });
const stranger = "http://127.0.0.1:9";
const own = { base_url: stranger, allow_private: true };

type Channels = Readonly<Record<string, Record<string, unknown>>>;

/** Made by root. */
const channels: Channels = {
  openai: { type: "openai", base_url: "https://api.openai.com", key: "sk-1" },
  "anthropic through a company proxy": {
    type: "anthropic",
    base_url: "https://api.anthropic.com",
    key: "sk-2",
    proxy: "http://10.0.0.7:3128",
  },
  "gateway at home": { type: "gateway", key: "sk-3", ...own },
  "azure by a key": { ...azure, key: "k" },
  "azure by a secret": { ...azure, key: secretOfApp },
  "azure at home by a secret": {
    ...azure,
    ...own,
    key: secretOfApp,
    vendor: { authority: stranger },
  },
  "azure by the machine": { ...azure, key: "identity" },
  "azure in China by the machine": {
    type: "azure",
    base_url: "https://res.openai.azure.cn",
    key: "workload",
    vendor: { authority: "https://login.partner.microsoftonline.cn" },
  },
  "bedrock by a key": { ...bedrock, key: "k" },
  "bedrock by a pair with a role": { ...bedrock, key: "a:s", vendor: { role_arn: "r" } },
  "bedrock by the machine": { ...bedrock, key: "instance" },
  "bedrock by a private endpoint": {
    ...bedrock,
    base_url: "https://vpce-0a-1b.bedrock-runtime.eu-west-1.vpce.amazonaws.com",
    key: "web_identity",
    vendor: { region: "eu-west-1" },
  },
  "bedrock by a proxy and a pair": {
    ...bedrock,
    base_url: "https://proxy.example/bedrock",
    key: "a:s",
  },
  "vertex by a key": { ...vertex, key: "k" },
  "vertex by an account": { ...vertex, key: google, vendor: { location: "europe-west1" } },
  "vertex by an account in a group": { ...vertex, key: google, vendor: { location: "eu" } },
  "vertex by a federation": {
    ...vertex,
    key: federated({ credential_source: { url: "https://token.example/t" } }),
    vendor: project,
  },
  "vertex by the machine": { ...vertex, key: "instance", vendor: project },
  "vertex by a hostile location": {
    ...vertex,
    key: google,
    vendor: { ...project, location: "attacker.example/x?" },
  },
  "vertex by an odd project": { ...vertex, key: google, vendor: { project: "p/q" } },
  "vertex by a key that names a file": {
    ...vertex,
    key: federated({ credential_source: { url: "https://token.example/t", file: "/etc/passwd" } }),
    vendor: project,
  },
  "openai through the metadata": {
    type: "openai",
    base_url: "https://api.openai.com",
    key: "sk-4",
    proxy: "http://169.254.169.254:80",
  },
  "azure by the machine at a stranger (root)": { ...azure, ...own, key: "identity" },
  "bedrock by a proxy and the machine (root)": {
    ...bedrock,
    base_url: "https://proxy.example/bedrock",
    key: "container",
  },
  "vertex by a key with a token service at home (root)": {
    ...vertex,
    ...own,
    key: accountFile(stranger),
  },
};

/** Made by an admin. */
const channelsOfAdmin: Channels = {
  "azure by the machine at a stranger": { ...azure, ...own, key: "identity" },
  "azure by the pod at a stranger": {
    ...azure,
    ...own,
    key: "workload",
    vendor: { authority: stranger },
  },
  "bedrock by a proxy and the machine": {
    ...bedrock,
    base_url: "https://proxy.example/bedrock",
    key: "container",
  },
  "bedrock by a hostile region": {
    ...bedrock,
    base_url: "https://proxy.example/bedrock",
    key: "web_identity",
    vendor: { region: "attacker.example/?" },
  },
  "vertex by a key with a token service at home": {
    ...vertex,
    ...own,
    key: accountFile(stranger),
  },
  "vertex by the machine at a stranger": { ...vertex, ...own, key: "instance", vendor: project },
};

using folder = new Folder();
{
  await using gateway = await startProcess({ folder: folder.path, entry });
  const password = "long enough password";
  const account = { username: "adder", password, role: "admin" };
  const { id } = await gateway.control<{ id: string }>("POST", "/api/user", account);
  const path = `/api/user/${id}/token`;
  const { token } = await gateway.control<{ token: string }>("POST", path, {});
  const all = [
    { made: channels, by: rootToken },
    { made: channelsOfAdmin, by: token },
  ];
  for (const { made, by } of all) {
    for (const [title, fields] of Object.entries(made)) {
      const body = { name: title, models: [`model ${title}`], ...fields };
      const { success, message } = await gateway.controlEnvelope("POST", "/api/channel", body, by);
      if (!success) throw new Error(`${title}: ${message}`);
    }
  }
  await gateway.stop();
}
const archive = join(keptChannels, `${name}.tar.gz`);
const done = Bun.spawnSync(["tar", "czf", archive, "-C", folder.path, "secret", "sluice.db"]);
if (!done.success) throw new Error(done.stderr.toString());
