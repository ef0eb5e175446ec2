// Workload identity federation: a token of another identity is exchanged for one of Google's, and
// that for one of a service account where the configuration names one.
import { isObject, type JsonObject } from "../../../core/json.ts";
import { mayBePrivate, type CredentialUse } from "../../../core/pass/credential-rules.ts";
import type { PassGrant, PassMeans } from "../../../core/pass/pass.ts";
import { bearerGrant } from "./bearer-grant.ts";
import {
  formCall,
  momentIn,
  replyObject,
  takenObject,
  tokenEndSeconds,
  partText,
  unusableKey,
} from "./exchange.ts";

const tokenUrl = "https://sts.googleapis.com/v1/token";
const grantType = "urn:ietf:params:oauth:grant-type:token-exchange";
const accessToken = "urn:ietf:params:oauth:token-type:access_token";

interface FederatedCredential {
  parts: JsonObject;
  scope: string;
  use: CredentialUse;
}

export async function federatedGrant(
  means: PassMeans,
  { parts, scope, use }: FederatedCredential,
): Promise<PassGrant> {
  const call = formCall(partText(parts, "token_url") ?? tokenUrl, {
    grant_type: grantType,
    audience: partText(parts, "audience") ?? "",
    scope,
    requested_token_type: accessToken,
    subject_token: await subjectToken(means, parts["credential_source"], use),
    subject_token_type: partText(parts, "subject_token_type") ?? "",
  });
  const reply = takenObject(await means.send(call));
  const token = partText(reply, "access_token");
  if (token === null) throw unusableKey("there was no token");
  const account = partText(parts, "service_account_impersonation_url");
  if (account !== null) return await impersonated(means, { account, token, scope });
  const expiresAtSeconds = tokenEndSeconds(reply["expires_in"], means.nowSeconds);
  return bearerGrant({ token, expiresAtSeconds });
}

interface Impersonation {
  /** The address of the service account. */
  account: string;
  token: string;
  scope: string;
}

async function impersonated(
  means: PassMeans,
  { account, token, scope }: Impersonation,
): Promise<PassGrant> {
  const reply = await means.send({
    method: "POST",
    url: account,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ scope: [scope], lifetime: "3600s" }),
  });
  const body = takenObject(reply);
  const own = partText(body, "accessToken");
  const expiresAtSeconds = momentIn(body["expireTime"]);
  if (own === null || expiresAtSeconds === null) throw unusableKey("there was no token");
  return bearerGrant({ token: own, expiresAtSeconds });
}

/** From a file or an address, as it is or as a field of an object. */
async function subjectToken(
  means: PassMeans,
  source: unknown,
  use: CredentialUse,
): Promise<string> {
  if (!isObject(source)) throw unusableKey("the configuration has no credential_source");
  const text = await sourceText(means, source, use);
  const format = isObject(source["format"]) ? source["format"] : {};
  if (format["type"] !== "json") return text.trim();
  const field = partText(format, "subject_token_field_name") ?? "access_token";
  const token = partText(replyObject(text) ?? {}, field);
  if (token === null) throw unusableKey("the source of the token has none");
  return token;
}

async function sourceText(
  means: PassMeans,
  source: JsonObject,
  use: CredentialUse,
): Promise<string> {
  const file = partText(source, "file");
  if (file !== null) {
    if (use.author !== "config") throw unusableKey("a pasted key may name no file of the machine");
    return await means.readFile(file);
  }
  const url = partText(source, "url");
  if (url === null) throw unusableKey("the credential_source names neither a file nor an address");
  const named = isObject(source["headers"]) ? Object.entries(source["headers"]) : [];
  const headers = Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
  const isPublic = use.author !== "config" && !mayBePrivate(use);
  const reply = await means.send({
    method: "GET",
    url,
    headers,
    isLocal: true,
    ...(isPublic && { isPublic }),
  });
  if (reply.status !== 200) throw unusableKey(`the source of the token answers ${reply.status}`);
  return reply.text;
}
