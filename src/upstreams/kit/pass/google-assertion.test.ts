// A service account's word for itself, judged by another library.
import { expect, test } from "bun:test";
import { importSPKI, jwtVerify } from "jose";
import { accountEmail, accountKey, accountKeyId } from "../../../../sandbox/vertex/account.ts";
import { privateKey } from "../../../../test/harness/clouds/google-account.ts";
import { assertionOf } from "./google-assertion.ts";

const scope = "https://www.googleapis.com/auth/cloud-platform";
const audience = "https://oauth2.googleapis.com/token";
const nowSeconds = 1_800_000_000;
const parts = { client_email: accountEmail, private_key: privateKey, private_key_id: accountKeyId };

test("is a JWT of an hour that the public half of its key verifies", async () => {
  const assertion = assertionOf(parts, { scope, audience, nowSeconds });
  const { payload, protectedHeader } = await jwtVerify(
    assertion,
    await importSPKI(accountKey, "RS256"),
    { issuer: accountEmail, audience, currentDate: new Date(nowSeconds * 1000) },
  );
  expect(protectedHeader).toEqual({ alg: "RS256", typ: "JWT", kid: accountKeyId });
  expect(payload).toEqual({
    iss: accountEmail,
    scope,
    aud: audience,
    iat: nowSeconds,
    exp: nowSeconds + 3600,
  });
});

test("is refused without a word of the key where that cannot be read", () => {
  const broken = { ...parts, private_key: "-----BEGIN PRIVATE KEY-----\ncanary\n" };
  expect(() => assertionOf(broken, { scope, audience, nowSeconds })).toThrow(
    "the private_key of the service account cannot be read",
  );
});
