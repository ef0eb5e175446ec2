// Tokens of Microsoft Entra: for a client's secret, for a token that a cluster puts into a file, or
// by the identity that Azure gives to the machine.
import type { JsonObject } from "../../../core/json.ts";
import { credentialParts } from "../../../core/pass/credential.ts";
import { authorityFault, machineFault } from "../../../core/pass/credential-rules.ts";
import type { PassGrant, Pass, PassCall, PassMeans } from "../../../core/pass/pass.ts";
import type { Target } from "../../upstream.ts";
import { bearerGrant } from "./bearer-grant.ts";
import {
  formCall,
  momentIn,
  wholeSeconds,
  takenObject,
  tokenEndSeconds,
  partText,
  unusableKey,
} from "./exchange.ts";
import { refusedPass, refuseFault } from "./refused-pass.ts";

const authorityDefault = "https://login.microsoftonline.com";
const scopeDefault = "https://cognitiveservices.azure.com/.default";
const metadataHost = "http://169.254.169.254";
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

interface TokenPlace {
  authority: string;
  scope: string;
}

type MakeCall = (means: PassMeans, place: TokenPlace) => PassCall | Promise<PassCall>;

/** Null where the key is one of the resource, which is sent as it is. */
export function entraPass(target: Target): Pass | null {
  const { key, vendor = {} } = target;
  const call = callOf(key);
  if (call === null) return null;
  const use = { ...target, type: "azure" };
  const fault = machineFault(use, key);
  if (fault !== null) return refusedPass(fault);
  const { authority = authorityDefault, scope = scopeDefault } = vendor;
  const place = { authority: authority.replace(/\/$/, ""), scope };
  return {
    name: `entra ${place.authority} ${scope}`,
    async obtain(means) {
      refuseFault(authorityFault(use));
      return grantIn(takenObject(await means.send(await call(means, place))), means.nowSeconds);
    },
  };
}

/** The words that a channel's key may be stand for what the machine has. */
function callOf(key: string): MakeCall | null {
  if (key === "workload") return workloadCall;
  if (key === "identity") return (means, place) => identityCall(means, place, null);
  const parts = credentialParts(key);
  if (parts === null) return null;
  const own = partText(parts, "identity_client_id");
  if (own !== null) return (means, place) => identityCall(means, place, own);
  return (_means, place) =>
    tokenCall(place, partText(parts, "tenant_id") ?? "", {
      client_id: partText(parts, "client_id") ?? "",
      client_secret: partText(parts, "client_secret") ?? "",
    });
}

function tokenCall(
  { authority, scope }: TokenPlace,
  tenant: string,
  proof: Readonly<Record<string, string>>,
): PassCall {
  const url = `${authority}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
  return formCall(url, { grant_type: "client_credentials", scope, ...proof });
}

async function workloadCall(means: PassMeans, place: TokenPlace): Promise<PassCall> {
  const tenant = means.variable("AZURE_TENANT_ID");
  const client = means.variable("AZURE_CLIENT_ID");
  const file = means.variable("AZURE_FEDERATED_TOKEN_FILE");
  if (tenant === undefined || client === undefined || file === undefined) {
    throw unusableKey("workload needs AZURE_TENANT_ID, AZURE_CLIENT_ID and a token's file");
  }
  return tokenCall(place, tenant, {
    client_id: client,
    client_assertion_type: assertionType,
    client_assertion: (await means.readFile(file)).trim(),
  });
}

/** An app's own address where it has one, otherwise that of the virtual machine. */
function identityCall(means: PassMeans, { scope }: TokenPlace, clientId: string | null): PassCall {
  const query = new URLSearchParams({ resource: scope.replace(/\/\.default$/, "") });
  if (clientId !== null) query.set("client_id", clientId);
  const ofApp = means.variable("IDENTITY_ENDPOINT");
  if (ofApp !== undefined) {
    query.set("api-version", "2019-08-01");
    const headers = { "x-identity-header": means.variable("IDENTITY_HEADER") ?? "" };
    return { method: "GET", url: `${ofApp}?${query.toString()}`, headers, isLocal: true };
  }
  query.set("api-version", "2018-02-01");
  const host = means.variable("AZURE_POD_IDENTITY_AUTHORITY_HOST") ?? metadataHost;
  const url = `${host.replace(/\/$/, "")}/metadata/identity/oauth2/token?${query.toString()}`;
  return { method: "GET", url, headers: { metadata: "true" }, isLocal: true };
}

function grantIn(body: JsonObject, nowSeconds: number): PassGrant {
  const token = body["access_token"];
  if (typeof token !== "string") throw unusableKey("there was no token");
  const hasLife = wholeSeconds(body["expires_in"]) !== null;
  const moment = hasLife ? null : momentIn(body["expires_on"]);
  const expiresAtSeconds = moment ?? tokenEndSeconds(body["expires_in"], nowSeconds);
  return bearerGrant({ token, expiresAtSeconds });
}
