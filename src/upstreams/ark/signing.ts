// Requests to Ark's control plane are signed by a pair of keys: HMAC-SHA256, much as AWS' SigV4.
import { createHash, createHmac } from "node:crypto";
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
  const date = dateOf(nowSeconds);
  const day = date.slice(0, 8);
  const hash = hashOf(body);
  const canonical = [
    "POST",
    pathname,
    queryOf(searchParams),
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
  const key = [day, region, service, "request"].reduce<string | Buffer>(sign, secret);
  const signature = sign(key, toSign).toString("hex");
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

/** Such as 20261007T120000Z. */
function dateOf(nowSeconds: number): string {
  const iso = new Date(Math.floor(nowSeconds) * 1000).toISOString();
  return iso.replace(/\.\d+/, "").replace(/[-:]/g, "");
}

function queryOf(query: URLSearchParams): string {
  const pairs = [...query].map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.toSorted().join("&");
}

/** Stricter than the platform's own, which leaves five signs as they are. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function sign(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
