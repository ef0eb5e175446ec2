import { describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { jwtVerify } from "jose";
import type { Target } from "../../upstream.ts";
import { formOf, passNowSeconds, passStage } from "../fixtures/pass-means.ts";
import { googlePass } from "./google.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const account = {
  type: "service_account",
  client_email: "robot@project.iam.gserviceaccount.com",
  private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
  private_key_id: "kid-1",
  token_uri: "https://oauth2.googleapis.com/token",
};
const federated = {
  type: "external_account",
  audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q",
  subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
  token_url: "https://sts.googleapis.com/v1/token",
  credential_source: { file: "/token" },
};
const target = (key: string): Target => {
  return { baseUrl: "https://aiplatform.googleapis.com", key, headers: {} };
};
const granted = { body: { access_token: "the-token", expires_in: 3599, token_type: "Bearer" } };
const request = { method: "POST", url: "https://aiplatform.googleapis.com/x", headers: {} };

test("an API key is none that is exchanged", () => {
  expect(googlePass(target("AIzaSyExample"))).toBeNull();
});

test("a service account signs for itself, as jose verifies, and gets a bearer", async () => {
  const { means, sent } = passStage([granted]);
  const grant = await googlePass(target(JSON.stringify(account)))?.obtain(means);
  expect(sent[0]?.url).toBe(account.token_uri);
  const { grant_type: type, assertion = "" } = formOf(sent[0] ?? {});
  expect(type).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
  const { payload, protectedHeader } = await jwtVerify(assertion, publicKey, {
    issuer: account.client_email,
    audience: account.token_uri,
    currentDate: new Date(passNowSeconds * 1000),
  });
  expect(protectedHeader).toEqual({ alg: "RS256", typ: "JWT", kid: "kid-1" });
  expect(payload).toMatchObject({
    scope: "https://www.googleapis.com/auth/cloud-platform",
    iat: passNowSeconds,
    exp: passNowSeconds + 3600,
  });
  expect(grant?.sign(request, passNowSeconds)).toEqual({ authorization: "Bearer the-token" });
  expect(grant?.expiresAtSeconds).toBe(passNowSeconds + 3599);
});

test("a project that pays goes along", async () => {
  const { means } = passStage([granted]);
  const key = JSON.stringify({ ...account, quota_project_id: "other" });
  const grant = await googlePass(target(key))?.obtain(means);
  expect(grant?.sign(request, passNowSeconds)).toMatchObject({ "x-goog-user-project": "other" });
});

test("a private key that cannot be read is the key's fault, and is not repeated", async () => {
  const { means } = passStage([]);
  const key = JSON.stringify({ ...account, private_key: "-----BEGIN canary-----" });
  const error = await googlePass(target(key))
    ?.obtain(means)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ fault: { blame: "key" } });
  expect(String(error)).not.toContain("canary");
});

test("an instance asks its metadata", async () => {
  const { means, sent } = passStage([granted], { variables: { GCE_METADATA_HOST: "127.0.0.1:1" } });
  await googlePass(target("instance"))?.obtain(means);
  expect(sent[0]).toMatchObject({
    method: "GET",
    url: "http://127.0.0.1:1/computeMetadata/v1/instance/service-accounts/default/token",
    headers: { "metadata-flavor": "Google" },
    isLocal: true,
  });
});

test.each([
  ["a service account", account, 1],
  ["a federated identity", { ...federated, credential_source: { url: "https://a.example" } }, 2],
])("a token of %s without a life is good for an hour", async (_whose, parts, calls) => {
  const { means, sent } = passStage([
    ...(calls === 2 ? [{ body: "subject" }] : []),
    { body: { access_token: "the-token" } },
  ]);
  const grant = await googlePass(target(JSON.stringify(parts)))?.obtain(means);
  expect(sent).toHaveLength(calls);
  expect(grant?.expiresAtSeconds).toBe(passNowSeconds + 3600);
});

describe("a workload", () => {
  const variables = { GOOGLE_APPLICATION_CREDENTIALS: "/adc" };

  test("exchanges the token of its file", async () => {
    const files = { "/adc": JSON.stringify(federated), "/token": "subject\n" };
    const { means, sent } = passStage([granted], { variables, files });
    const grant = await googlePass(target("workload"))?.obtain(means);
    expect(sent[0]?.url).toBe(federated.token_url);
    expect(formOf(sent[0] ?? {})).toMatchObject({
      subject_token: "subject",
      audience: federated.audience,
      subject_token_type: federated.subject_token_type,
    });
    expect(grant?.secrets).toEqual(["the-token"]);
  });

  test("takes its token from an address and a field of it, and becomes an account", async () => {
    const url = "http://127.0.0.1:1/token";
    const credential_source = {
      url,
      headers: { metadata: "true" },
      format: { type: "json", subject_token_field_name: "t" },
    };
    const service_account_impersonation_url =
      "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a:generateAccessToken";
    const key = { ...federated, credential_source, service_account_impersonation_url };
    const own = { accessToken: "own-token", expireTime: "2026-11-18T04:00:00Z" };
    const { means, sent } = passStage([{ body: { t: "subject" } }, granted, { body: own }]);
    const owned = { ...target(JSON.stringify(key)), author: "root", allowPrivate: true } as const;
    const grant = await googlePass(owned)?.obtain(means);
    expect(sent.map((call) => call.url)).toEqual([
      url,
      federated.token_url,
      service_account_impersonation_url,
    ]);
    expect(sent[2]?.headers?.["authorization"]).toBe("Bearer the-token");
    expect(grant?.sign(request, passNowSeconds)).toEqual({ authorization: "Bearer own-token" });
    expect(grant?.expiresAtSeconds).toBe(passNowSeconds + 3600);
  });

  test.each([undefined, "operator", "root"] as const)(
    "reads no file that a key names which %p pasted",
    async (author) => {
      const source = { url: "https://token.example/t", file: "/token" };
      const key = JSON.stringify({ ...federated, credential_source: source });
      const { means, sent } = passStage([granted], { files: { "/token": "subject" } });
      const pass = googlePass({ ...target(key), author, allowPrivate: true });
      const error = await pass?.obtain(means).catch((thrown: unknown) => thrown);
      expect(String(error)).toContain("names a file");
      expect(sent).toEqual([]);
    },
  );

  test("without a configuration is refused as a key", async () => {
    const { means } = passStage([]);
    const error = await googlePass(target("workload"))
      ?.obtain(means)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ fault: { blame: "key" } });
  });
});

test.each([
  [400, { error: "invalid_grant", error_description: "Invalid JWT Signature." }, "key"],
  [401, { error: "invalid_client" }, "key"],
  [403, { error: { code: 403, status: "PERMISSION_DENIED", message: "no" } }, "channel"],
  [500, { error: "internal_failure" }, "channel"],
])("a refusal with %i and %p is the fault of: %s", async (status, body, blame) => {
  const { means } = passStage([{ status, body }]);
  const error = await googlePass(target(JSON.stringify(account)))
    ?.obtain(means)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ fault: { blame } });
});
