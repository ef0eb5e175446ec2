// AWS' token service, and where an instance and a container ask for credentials. What they give out
// is temporary, and the sandbox's own runtime takes it until it ends.
import { jsonAnswer, secretOf } from "../wire.ts";
import type { Answer, VendorRequest } from "../vendor.ts";
import { callerOf, sessionToken } from "./access.ts";
import { BedrockRefusal } from "./errors.ts";

const lifeSeconds = 3600;
const roleName = "sandbox-role";
const metadataToken = "sandbox-metadata-token";
const containerToken = "sandbox-container-token";

/** Null for a path that is none of theirs. */
export function machineAnswer(request: VendorRequest, nowMs: number): Answer | null {
  const { path } = request;
  if (path === "/sts/" || path === "/sts") return stsAnswer(request, nowMs);
  if (path === "/container") return containerAnswer(request, nowMs);
  return path.startsWith("/latest/") ? metadataAnswer(request, nowMs) : null;
}

function stsAnswer(request: VendorRequest, nowMs: number): Answer {
  const form = new URLSearchParams(new TextDecoder().decode(request.body));
  const action = form.get("Action");
  if (action === "AssumeRole") callerOf(request, "sts", nowMs);
  else if (action !== "AssumeRoleWithWebIdentity" || !form.get("WebIdentityToken")) {
    throw new BedrockRefusal(400, "The action is not valid for this endpoint.", "InvalidAction");
  }
  const role = form.get("RoleArn") ?? "";
  if (!role.startsWith("arn:aws:iam::"))
    throw new BedrockRefusal(403, "Not authorized to assume it.");
  const { AccessKeyId, SecretAccessKey, Token, endMs } = credentials(nowMs);
  const end = new Date(endMs).toISOString();
  const xml = `<AssumeRoleResponse><AssumeRoleResult><Credentials>
<AccessKeyId>${AccessKeyId}</AccessKeyId><SecretAccessKey>${SecretAccessKey}</SecretAccessKey>
<SessionToken>${Token}</SessionToken><Expiration>${end}</Expiration>
</Credentials></AssumeRoleResult></AssumeRoleResponse>`;
  return textAnswer(xml, "text/xml");
}

function metadataAnswer({ method, path, headers }: VendorRequest, nowMs: number): Answer {
  if (path === "/latest/api/token" && method === "PUT")
    return textAnswer(metadataToken, "text/plain");
  if (headers.get("x-aws-ec2-metadata-token") !== metadataToken) {
    throw new BedrockRefusal(401, "The token is missing.");
  }
  const roles = "/latest/meta-data/iam/security-credentials/";
  if (path === roles) return textAnswer(roleName, "text/plain");
  if (path !== `${roles}${roleName}`) throw new BedrockRefusal(404, "Nothing is there.");
  return pairAnswer(nowMs);
}

function containerAnswer({ headers }: VendorRequest, nowMs: number): Answer {
  if (headers.get("authorization") !== containerToken) {
    throw new BedrockRefusal(401, "The token is missing.");
  }
  return pairAnswer(nowMs);
}

function pairAnswer(nowMs: number): Answer {
  const { endMs, ...pair } = credentials(nowMs);
  return jsonAnswer({ Code: "Success", ...pair, Expiration: new Date(endMs).toISOString() });
}

function credentials(nowMs: number) {
  const endMs = nowMs + lifeSeconds * 1000;
  const access = `ASIA${Math.floor(endMs / 1000)}`;
  const token = sessionToken(access, endMs);
  return { AccessKeyId: access, SecretAccessKey: secretOf(access), Token: token, endMs };
}

function textAnswer(text: string, type: string): Answer {
  const answer = jsonAnswer({});
  const bytes = new TextEncoder().encode(text);
  return { ...answer, headers: { "content-type": type }, content: { kind: "whole", bytes } };
}
