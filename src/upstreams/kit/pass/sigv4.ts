// AWS' Signature Version 4: a request is signed by its method, path, query, some of its headers and
// its body, with a key that is made anew each day. The path is encoded once more than it is sent.
import type { PassGrant, UnsignedRequest } from "../../../core/pass/pass.ts";
import { canonicalQuery, hashOf, hmac, signingDate, strictly } from "./canonical.ts";

export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string | null;
  /** Null where they do not end. */
  expiresAtSeconds: number | null;
}

export interface SigningScope {
  region: string;
  service: string;
}

const algorithm = "AWS4-HMAC-SHA256";

/** Signs with the key of the day, which is made once a day. */
export function sigv4Grant(credentials: AwsCredentials, scope: SigningScope): PassGrant {
  const { secretAccessKey, sessionToken, expiresAtSeconds } = credentials;
  let known: { day: string; key: Buffer } = { day: "", key: Buffer.alloc(0) };
  const keyOf = (day: string) => {
    if (known.day !== day) known = { day, key: dayKey(secretAccessKey, day, scope) };
    return known.key;
  };
  return {
    sign: (request, nowSeconds) => signV4(request, { credentials, scope, keyOf, nowSeconds }),
    expiresAtSeconds,
    secrets: sessionToken === null ? [secretAccessKey] : [secretAccessKey, sessionToken],
  };
}

interface Signing {
  credentials: AwsCredentials;
  scope: SigningScope;
  keyOf(day: string): Buffer;
  nowSeconds: number;
}

function signV4(request: UnsignedRequest, signing: Signing): Record<string, string> {
  const { credentials, scope, keyOf, nowSeconds } = signing;
  const { accessKeyId, sessionToken } = credentials;
  const url = new URL(request.url);
  const date = signingDate(nowSeconds);
  const day = date.slice(0, 8);
  const added: Record<string, string> = { "x-amz-date": date };
  if (sessionToken !== null) added["x-amz-security-token"] = sessionToken;
  const headers = signedHeaders({ host: url.host, ...request.headers, ...added });
  const names = headers.map(([name]) => name).join(";");
  const canonical = [
    request.method,
    url.pathname.split("/").map(strictly).join("/"),
    canonicalQuery(url.searchParams),
    ...headers.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    hashOf(bodyOf(request)),
  ].join("\n");
  const place = `${day}/${scope.region}/${scope.service}/aws4_request`;
  const toSign = [algorithm, date, place, hashOf(canonical)].join("\n");
  const signature = hmac(keyOf(day), toSign).toString("hex");
  added["authorization"] =
    `${algorithm} Credential=${accessKeyId}/${place}, ` +
    `SignedHeaders=${names}, Signature=${signature}`;
  return added;
}

/** Headers that go along unsigned may be changed or added to on the way. */
const signed = /^(?:host|accept|content-type|x-amz-.+)$/;

function signedHeaders(headers: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), trimmed(value)])
    .filter(([name]) => signed.test(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function trimmed(value: string): string {
  return value.trim().replace(/ {2,}/g, " ");
}

/** A form has no bytes before it is sent; no service that is signed for takes one. */
function bodyOf({ body = "" }: UnsignedRequest): string {
  if (typeof body !== "string") throw new TypeError("a form cannot be signed");
  return body;
}

/** Each part of the scope signs the next; what comes out signs the request. */
function dayKey(secret: string, day: string, { region, service }: SigningScope): Buffer {
  return [region, service, "aws4_request"].reduce(hmac, hmac(`AWS4${secret}`, day));
}
