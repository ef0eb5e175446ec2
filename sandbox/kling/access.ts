// The caller: with a key as it is, or with a token that the holder of an access key signed.
import { createHmac } from "node:crypto";
import { isObject, type Json, parseJson } from "../../src/core/json.ts";
import type { VendorRequest } from "../vendor.ts";
import { bearerOf, revokedKey, secretOf } from "../wire.ts";
import { Refusal } from "./errors.ts";

/** The key, or the access key behind the token. */
export function authenticate(request: VendorRequest, nowSeconds: number): string {
  const bearer = bearerOf(request);
  if (bearer === null) throw new Refusal(401, { code: 1001, message: "Authorization is empty" });
  const key = bearer.split(".").length === 3 ? readToken(bearer, nowSeconds) : bearer;
  request.note({ bearer: key });
  if (key === revokedKey) throw invalid();
  return key;
}

function readToken(token: string, nowSeconds: number): string {
  const [header = "", claims = "", signature = ""] = token.split(".");
  const { iss, exp, nbf } = readPart(claims);
  if (typeof iss !== "string" || typeof exp !== "number" || typeof nbf !== "number") {
    throw invalid();
  }
  const wanted = createHmac("sha256", secretOf(iss)).update(`${header}.${claims}`);
  if (signature !== wanted.digest("base64url") || readPart(header)["alg"] !== "HS256") {
    throw invalid();
  }
  if (nowSeconds < nbf) throw new Refusal(401, { code: 1003, message: "Not yet valid" });
  if (nowSeconds >= exp) throw new Refusal(401, { code: 1004, message: "Expired" });
  return iss;
}

function readPart(part: string): Record<string, Json | undefined> {
  try {
    const json = parseJson(Buffer.from(part, "base64url"));
    if (isObject(json)) return json;
  } catch {
    // An unreadable token is as invalid as a wrong one.
  }
  throw invalid();
}

function invalid(): Refusal {
  return new Refusal(401, { code: 1002, message: "Authorization is invalid" });
}
