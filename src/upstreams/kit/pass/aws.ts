// AWS' credentials: an API key goes as a bearer, everything else signs. Keys of a pair sign at once
// or assume a role first; those of the machine are had where a channel's key is the word for them.
import { credentialParts } from "../../../core/pass/credential.ts";
import { authorityFault, machineFault } from "../../../core/pass/credential-rules.ts";
import type { Pass, PassMeans } from "../../../core/pass/pass.ts";
import type { Target } from "../../upstream.ts";
import { assumeRole, assumeRoleByToken, type RoleAsk } from "./aws-roles.ts";
import { containerCredentials, instanceCredentials } from "./aws-machine.ts";
import { refusedPass, refuseFault } from "./refused-pass.ts";
import { sigv4Grant, type AwsCredentials, type SigningScope } from "./sigv4.ts";

type Source = (means: PassMeans, role: RoleAsk) => Promise<AwsCredentials>;

/** Words that a channel's key may be, each for credentials that the machine has. */
const machineSources: Readonly<Record<string, Source>> = {
  instance: (means, role) => instanceCredentials(means).then(inRole(means, role)),
  container: (means, role) => containerCredentials(means).then(inRole(means, role)),
  web_identity: (means, role) => assumeRoleByToken(means, role),
};

/** Null where the key is an API key, which is sent as a bearer. */
export function awsPass(target: Target, scope: SigningScope): Pass | null {
  const { key, vendor = {} } = target;
  const source = sourceOf(key);
  if (source === null) return null;
  const use = { ...target, type: "bedrock" };
  const fault = machineFault(use, key);
  if (fault !== null) return refusedPass(fault);
  const { role_arn: roleArn = null, external_id: externalId = null, authority = null } = vendor;
  const role = { roleArn, externalId, authority, region: scope.region };
  return {
    name: ["aws", scope.service, scope.region, roleArn, externalId, authority].join(" "),
    async obtain(means) {
      refuseFault(authorityFault(use));
      return sigv4Grant(await source(means, role), scope);
    },
    isRefused,
  };
}

function sourceOf(key: string): Source | null {
  const ofMachine = machineSources[key];
  if (ofMachine) return ofMachine;
  const pair = pairOf(key);
  return pair && ((means, role) => inRole(means, role)(pair));
}

/** The pair of an object, or of `access:secret` with a session token behind another colon. */
function pairOf(key: string): AwsCredentials | null {
  const parts = credentialParts(key);
  const [access, secret, token] = parts
    ? [parts["access_key_id"], parts["secret_access_key"], parts["session_token"]]
    : key.split(":");
  if (typeof access !== "string" || typeof secret !== "string") return null;
  const sessionToken = typeof token === "string" && token !== "" ? token : null;
  return { accessKeyId: access, secretAccessKey: secret, sessionToken, expiresAtSeconds: null };
}

function inRole(means: PassMeans, role: RoleAsk) {
  return async (own: AwsCredentials): Promise<AwsCredentials> =>
    role.roleArn === null ? own : await assumeRole(means, role, own);
}

const endedWords = /^(?:ExpiredToken|UnrecognizedClient|InvalidClientTokenId)/;

/** Such as `ExpiredTokenException:http://…`; other 403s are about rights. */
function isRefused(status: number, headers: Headers): boolean {
  return (
    status === 401 || (status === 403 && endedWords.test(headers.get("x-amzn-errortype") ?? ""))
  );
}
