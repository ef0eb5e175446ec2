// A key of Kling is either used as it is, or a pair `access:secret` that signs a JWT.
import { createHmac } from "node:crypto";

const lifeSeconds = 1800;
/** For clock skew: a token that is not valid yet is refused. */
const leewaySeconds = 5;
const header = { alg: "HS256", typ: "JWT" };

export function bearerOf(key: string, nowSeconds: number): string {
  const at = key.indexOf(":");
  if (at === -1) return key;
  return signToken({ access: key.slice(0, at), secret: key.slice(at + 1), nowSeconds });
}

interface Signing {
  access: string;
  secret: string;
  nowSeconds: number;
}

function signToken({ access, secret, nowSeconds }: Signing): string {
  const now = Math.floor(nowSeconds);
  const claims = { iss: access, exp: now + lifeSeconds, nbf: now - leewaySeconds };
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
