// Credentials that AWS gives to the machine itself: a container's by an address that its
// environment names, an instance's by the metadata service, second version.
import type { JsonObject } from "../../../core/json.ts";
import type { PassCall, PassMeans } from "../../../core/pass/pass.ts";
import { VendorRefusal } from "../../upstream.ts";
import { momentIn, takenObject, unusableKey } from "./exchange.ts";
import type { AwsCredentials } from "./sigv4.ts";

const containerHost = "http://169.254.170.2";
const metadataHost = "http://169.254.169.254";
const metadataTokenSeconds = "21600";

export async function containerCredentials(means: PassMeans): Promise<AwsCredentials> {
  const path = means.variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  const url =
    means.variable("AWS_CONTAINER_CREDENTIALS_FULL_URI") ?? (path && `${containerHost}${path}`);
  if (url === undefined) throw unusableKey("container needs the addresses of a container's task");
  const file = means.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  const token = file
    ? (await means.readFile(file)).trim()
    : means.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  const headers: Record<string, string> = token === undefined ? {} : { authorization: token };
  return credentialsIn(takenObject(await means.send(local("GET", url, headers))));
}

export async function instanceCredentials(means: PassMeans): Promise<AwsCredentials> {
  const named = means.variable("AWS_EC2_METADATA_SERVICE_ENDPOINT") ?? metadataHost;
  const host = named.replace(/\/$/, "");
  const life = { "x-aws-ec2-metadata-token-ttl-seconds": metadataTokenSeconds };
  const granted = await means.send(local("PUT", `${host}/latest/api/token`, life));
  const token = granted.text.trim();
  // A proxy or a firewall may answer in its place, and that answer is no token.
  if (granted.status !== 200 || !/^[\x21-\x7e]*$/.test(token)) {
    throw metadataFault(`the metadata service gave no token: status ${granted.status}`);
  }
  const headers = { "x-aws-ec2-metadata-token": token };
  const at = `${host}/latest/meta-data/iam/security-credentials/`;
  const roles = await means.send(local("GET", at, headers));
  const role = roles.text.split("\n")[0]?.trim() ?? "";
  if (roles.status !== 200 || role === "") throw unusableKey("this instance has no role");
  const url = `${at}${encodeURIComponent(role)}`;
  return credentialsIn(takenObject(await means.send(local("GET", url, headers))));
}

/** Nothing is wrong with the key itself, and the service may answer again. */
function metadataFault(message: string): VendorRefusal {
  return new VendorRefusal({ blame: "channel", message });
}

function local(
  method: PassCall["method"],
  url: string,
  headers: Readonly<Record<string, string>>,
): PassCall {
  return { method, url, headers, isLocal: true };
}

function credentialsIn(body: JsonObject): AwsCredentials {
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = body;
  const expiresAtSeconds = momentIn(Expiration);
  const isPair = typeof AccessKeyId === "string" && typeof SecretAccessKey === "string";
  if (!isPair || typeof Token !== "string" || expiresAtSeconds === null) {
    throw unusableKey("the machine's credentials are incomplete");
  }
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: Token,
    expiresAtSeconds,
  };
}
