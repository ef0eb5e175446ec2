// Tokens of Google Cloud: for a service account's signature, for a token of another identity
// (workload federation), or by the metadata service of the machine.
import type { JsonObject } from "../../../core/json.ts";
import { credentialParts } from "../../../core/pass/credential.ts";
import type { PassGrant, Pass, PassMeans } from "../../../core/pass/pass.ts";
import type { Target } from "../../upstream.ts";
import { bearerGrant } from "./bearer-grant.ts";
import {
  authorityFault,
  machineFault,
  partsFault,
  type CredentialUse,
} from "../../../core/pass/credential-rules.ts";
import { refusedPass, refuseFault } from "./refused-pass.ts";
import { formCall, takenObject, tokenEndSeconds, partText, unusableKey } from "./exchange.ts";
import { federatedGrant } from "./google-federation.ts";
import { assertionOf } from "./google-assertion.ts";

const scopeDefault = "https://www.googleapis.com/auth/cloud-platform";
const tokenUrl = "https://oauth2.googleapis.com/token";
const metadataHost = "metadata.google.internal";
const grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** Null where the key is an API key, which is sent as it is. */
export function googlePass(target: Target): Pass | null {
  const { key, vendor = {} } = target;
  const parts = credentialParts(key);
  const isWord = key === "instance" || key === "workload";
  if (parts === null && !isWord) return null;
  const use: CredentialUse = { ...target, type: "vertex" };
  const fault = machineFault(use, key);
  if (fault !== null) return refusedPass(fault);
  const { scope = scopeDefault, authority = null } = vendor;
  return {
    name: `google ${authority ?? ""} ${scope}`,
    async obtain(means) {
      if (key === "instance") return await instanceGrant(means);
      refuseFault(authorityFault(use) ?? partsFault(use, parts));
      const own = parts ?? (await readConfigured(means));
      // The file that the environment names is the machine owner's own.
      const rights: CredentialUse = parts === null ? { ...use, author: "config" } : use;
      if (own["type"] === "external_account") {
        return await federatedGrant(means, { parts: own, scope, use: rights });
      }
      return await accountGrant(means, own, { scope, authority });
    },
  };
}

async function accountGrant(
  means: PassMeans,
  parts: JsonObject,
  { scope, authority }: { scope: string; authority: string | null },
): Promise<PassGrant> {
  const audience = authority ?? partText(parts, "token_uri") ?? tokenUrl;
  const assertion = assertionOf(parts, { scope, audience, nowSeconds: means.nowSeconds });
  const reply = await means.send(formCall(audience, { grant_type: grantType, assertion }));
  return grantIn(takenObject(reply), means.nowSeconds, projectHeader(parts));
}

async function instanceGrant(means: PassMeans): Promise<PassGrant> {
  const host = means.variable("GCE_METADATA_HOST") ?? metadataHost;
  const url = `http://${host}/computeMetadata/v1/instance/service-accounts/default/token`;
  const headers = { "metadata-flavor": "Google" };
  const reply = await means.send({ method: "GET", url, headers, isLocal: true });
  return grantIn(takenObject(reply), means.nowSeconds, {});
}

/** The file that Google's own tools read, which the machine's owner put there. */
async function readConfigured(means: PassMeans): Promise<JsonObject> {
  const file = means.variable("GOOGLE_APPLICATION_CREDENTIALS");
  const parts = file === undefined ? null : credentialParts(await means.readFile(file));
  if (parts === null) throw unusableKey("workload needs GOOGLE_APPLICATION_CREDENTIALS");
  return parts;
}

/** The project that pays, where that is another than the account's own project. */
function projectHeader({ quota_project_id: project }: JsonObject): Record<string, string> {
  return typeof project === "string" ? { "x-goog-user-project": project } : {};
}

function grantIn(
  body: JsonObject,
  nowSeconds: number,
  headers: Readonly<Record<string, string>>,
): PassGrant {
  const token = partText(body, "access_token");
  if (token === null) throw unusableKey("there was no token");
  const expiresAtSeconds = tokenEndSeconds(body["expires_in"], nowSeconds);
  return bearerGrant({ token, expiresAtSeconds, headers });
}
