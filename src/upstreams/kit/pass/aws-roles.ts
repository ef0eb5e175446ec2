// Roles at AWS' token service: assumed with other credentials, or with a token that a cluster puts
// into a file.
import { isObject } from "../../../core/json.ts";
import { awsTokenService } from "../../../core/pass/cloud-hosts.ts";
import type { PassCall, PassMeans, PassReply } from "../../../core/pass/pass.ts";
import { VendorRefusal } from "../../upstream.ts";
import { exchangeFault, formCall, momentIn, replyObject, unusableKey } from "./exchange.ts";
import { sigv4Grant, type AwsCredentials } from "./sigv4.ts";

export interface RoleAsk {
  roleArn: string | null;
  externalId: string | null;
  /** Null for the service of the region. */
  authority: string | null;
  region: string;
}

const version = "2011-06-15";
const sessionName = "sluice";

export async function assumeRole(
  means: PassMeans,
  role: RoleAsk,
  own: AwsCredentials,
): Promise<AwsCredentials> {
  const call = formCall(serviceOf(role), {
    Action: "AssumeRole",
    Version: version,
    RoleArn: role.roleArn ?? "",
    RoleSessionName: sessionName,
    ...(role.externalId !== null && { ExternalId: role.externalId }),
  });
  return credentialsOf(await means.send(signedCall(call, own, role, means.nowSeconds)));
}

/** The role and the file are those that the cluster names, unless the channel names a role. */
export async function assumeRoleByToken(means: PassMeans, role: RoleAsk): Promise<AwsCredentials> {
  const file = means.variable("AWS_WEB_IDENTITY_TOKEN_FILE");
  const arn = role.roleArn ?? means.variable("AWS_ROLE_ARN");
  if (file === undefined || arn === undefined) {
    throw unusableKey("web_identity needs AWS_WEB_IDENTITY_TOKEN_FILE and a role");
  }
  const token = (await means.readFile(file)).trim();
  const call = formCall(serviceOf(role), {
    Action: "AssumeRoleWithWebIdentity",
    Version: version,
    RoleArn: arn,
    RoleSessionName: sessionName,
    WebIdentityToken: token,
  });
  return credentialsOf(await means.send(call));
}

function serviceOf({ authority, region }: RoleAsk): string {
  if (authority !== null) return `${authority.replace(/\/$/, "")}/`;
  const service = awsTokenService(region);
  if (service === null) throw unusableKey("the region of the channel is none of the vendor's");
  return service;
}

function signedCall(
  call: PassCall,
  own: AwsCredentials,
  { region }: RoleAsk,
  nowSeconds: number,
): PassCall {
  const headers = { ...call.headers, accept: "application/json" };
  const unsigned = { ...call, headers };
  const proof = sigv4Grant(own, { region, service: "sts" }).sign(unsigned, nowSeconds);
  return { ...call, headers: { ...headers, ...proof } };
}

/** JSON where the service heeds what is asked for, and XML otherwise. */
function credentialsOf(reply: PassReply): AwsCredentials {
  const body = replyObject(reply.text);
  const valueOf = (name: string) =>
    findText(body, name) ?? new RegExp(`<${name}>([^<]+)</${name}>`).exec(reply.text)?.[1] ?? null;
  const accessKeyId = valueOf("AccessKeyId");
  const secretAccessKey = valueOf("SecretAccessKey");
  const sessionToken = valueOf("SessionToken");
  const expiresAtSeconds = momentIn(valueOf("Expiration"));
  const isWhole = accessKeyId !== null && secretAccessKey !== null && expiresAtSeconds !== null;
  if (reply.status !== 200 || !isWhole) {
    throw new VendorRefusal(exchangeFault(reply, body ?? {}));
  }
  return { accessKeyId, secretAccessKey, sessionToken, expiresAtSeconds };
}

/** The value wherever it stands: the answer holds each of these names once. */
function findText(value: unknown, name: string): string | null {
  if (!isObject(value)) return null;
  const own = value[name];
  if (typeof own === "string" || typeof own === "number") return String(own);
  for (const inner of Object.values(value)) {
    const text = findText(inner, name);
    if (text !== null) return text;
  }
  return null;
}
