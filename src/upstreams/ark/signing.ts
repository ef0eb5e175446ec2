// Requests to Ark's control plane are signed by a pair of keys: HMAC-SHA256, much as AWS' SigV4.
import { canonicalQuery, hashOf, hmac, signingDate } from "../kit/pass/canonical.ts";
import type { Address } from "../upstream.ts";

interface Signing {
  /** Under which the call is made, query included. */
  url: string;
  /** The body, exactly as sent. */
  body: string;
  /** The pair, as `access:secret`. */
  pair: string;
  region: string;
  nowSeconds: number;
}

const algorithm = "HMAC-SHA256";
const service = "ark";
const signedHeaders = "content-type;host;x-content-sha256;x-date";

export function signedAddress({ url, body, pair, region, nowSeconds }: Signing): Address {
  const at = pair.indexOf(":");
  const [access, secret] = [pair.slice(0, at), pair.slice(at + 1)];
  const { host, pathname, searchParams } = new URL(url);
  const date = signingDate(nowSeconds);
  const day = date.slice(0, 8);
  const hash = hashOf(body);
  const canonical = [
    "POST",
    pathname,
    canonicalQuery(searchParams),
    "content-type:application/json",
    `host:${host}`,
    `x-content-sha256:${hash}`,
    `x-date:${date}`,
    "",
    signedHeaders,
    hash,
  ].join("\n");
  const scope = `${day}/${region}/${service}/request`;
  const toSign = [algorithm, date, scope, hashOf(canonical)].join("\n");
  // Each part of the scope signs the next; what comes out signs the request.
  const key = [day, region, service, "request"].reduce<string | Buffer>(hmac, secret);
  const signature = hmac(key, toSign).toString("hex");
  const proof = [
    `Credential=${access}/${scope}`,
    `SignedHeaders=${signedHeaders}`,
    `Signature=${signature}`,
  ];
  return {
    url,
    headers: {
      "content-type": "application/json",
      "x-date": date,
      "x-content-sha256": hash,
      authorization: `${algorithm} ${proof.join(", ")}`,
    },
  };
}
