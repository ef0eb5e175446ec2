// Verifies AWS' Signature Version 4 from the request as it came: its path as it was sent, the
// headers that it says it has signed, its body. Nothing of the gateway's signer is used here.
import { createHash, createHmac } from "node:crypto";
import { secretOf } from "../wire.ts";
import { BedrockRefusal } from "./errors.ts";

interface SentRequest {
  method: string;
  /** With the vendor's prefix, still encoded. */
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: Uint8Array;
}

const header = new RegExp(
  [
    "^AWS4-HMAC-SHA256 Credential=([^/]+)/(\\d{8})/([^/]+)/([^/]+)/aws4_request",
    "SignedHeaders=([^,]+)",
    "Signature=([0-9a-f]{64})$",
  ].join(", ?"),
);
const skewMsMax = 5 * 60 * 1000;

/** The access key that has signed it for this service; throws where the signature is none. */
export function verifySignature(request: SentRequest, service: string, nowMs: number): string {
  const { headers } = request;
  const read = header.exec(headers.get("authorization") ?? "");
  if (!read) throw badSignature("The Authorization header could not be read.");
  const [, access = "", day = "", region = "", named = "", names = "", signature = ""] = read;
  if (named !== service) throw badSignature(`Credential should be scoped to ${service}.`);
  const moment = headers.get("x-amz-date") ?? "";
  if (!moment.startsWith(day))
    throw badSignature("The date of the scope is not that of the request.");
  if (Math.abs(millisOf(moment) - nowMs) > skewMsMax) throw badSignature("Signature expired");
  const list = names.split(";");
  if (!list.includes("host")) throw badSignature("The host must be signed.");
  if (list.join(";") !== list.toSorted().join(";")) throw badSignature("Headers must be sorted.");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const hash = sha256(canonicalOf(request, list));
  const text = `AWS4-HMAC-SHA256\n${moment}\n${scope}\n${hash}`;
  const key = [day, region, service, "aws4_request"].reduce<string | Buffer>(
    (before, part) => hmac(before, part),
    `AWS4${secretOf(access)}`,
  );
  if (hmac(key, text).toString("hex") !== signature) {
    throw badSignature("The request signature we calculated does not match the one you provided.");
  }
  return access;
}

function canonicalOf({ method, path, query, headers, body }: SentRequest, names: string[]): string {
  const pairs = [...query].map(([name, value]) => `${strict(name)}=${strict(value)}`);
  const lines = names.map(
    (name) => `${name}:${(headers.get(name) ?? "").trim().replace(/ +/g, " ")}`,
  );
  return [
    method,
    path.split("/").map(strict).join("/"),
    pairs.toSorted().join("&"),
    ...lines,
    "",
    names.join(";"),
    sha256(body),
  ].join("\n");
}

/** Encodes as RFC 3986 does, which is more than the platform does. */
function strict(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function millisOf(moment: string): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(moment) ?? [];
  return Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function badSignature(message: string): BedrockRefusal {
  return new BedrockRefusal(403, message, "InvalidSignatureException");
}
