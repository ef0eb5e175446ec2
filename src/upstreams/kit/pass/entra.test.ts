import { describe, expect, test } from "bun:test";
import type { Target } from "../../upstream.ts";
import { formOf, passNowSeconds, passStage } from "../fixtures/pass-means.ts";
import { entraPass } from "./entra.ts";

const target = (key: string, vendor = {}): Target => {
  return { baseUrl: "https://res.openai.azure.com", key, headers: {}, vendor };
};
const secret = JSON.stringify({ tenant_id: "t-1", client_id: "c", client_secret: "s" });
const granted = { body: { access_token: "the-token", expires_in: 3599 } };
const request = { method: "POST", url: "https://res.openai.azure.com/x", headers: {} };

test("a key of the resource is none that is exchanged", () => {
  expect(entraPass(target("0123456789abcdef"))).toBeNull();
});

test("a client's secret is exchanged at its tenant for a bearer", async () => {
  const { means, sent } = passStage([granted]);
  const grant = await entraPass(target(secret))?.obtain(means);
  expect(sent[0]?.url).toBe("https://login.microsoftonline.com/t-1/oauth2/v2.0/token");
  expect(formOf(sent[0] ?? {})).toEqual({
    grant_type: "client_credentials",
    scope: "https://cognitiveservices.azure.com/.default",
    client_id: "c",
    client_secret: "s",
  });
  expect(grant?.expiresAtSeconds).toBe(passNowSeconds + 3599);
  expect(grant?.sign(request, passNowSeconds)).toEqual({ authorization: "Bearer the-token" });
  expect(grant?.secrets).toEqual(["the-token"]);
});

test("a token without a life is good for an hour", async () => {
  const { means } = passStage([{ body: { access_token: "the-token" } }]);
  const grant = await entraPass(target(secret))?.obtain(means);
  expect(grant?.expiresAtSeconds).toBe(passNowSeconds + 3600);
});

test("another cloud's authority and another scope are the channel's to name", async () => {
  const { means, sent } = passStage([granted]);
  const vendor = {
    authority: "https://login.microsoftonline.us/",
    scope: "https://ai.azure.com/.default",
  };
  await entraPass(target(secret, vendor))?.obtain(means);
  expect(sent[0]?.url).toStartWith("https://login.microsoftonline.us/t-1/");
  expect(formOf(sent[0] ?? {})["scope"]).toBe(vendor.scope);
});

describe("the machine's identity", () => {
  test("is asked for at the metadata of a virtual machine", async () => {
    const { means, sent } = passStage([granted]);
    await entraPass(target("identity"))?.obtain(means);
    const url = new URL(sent[0]?.url ?? "");
    expect(url.origin + url.pathname).toBe("http://169.254.169.254/metadata/identity/oauth2/token");
    expect(url.searchParams.get("resource")).toBe("https://cognitiveservices.azure.com");
    expect(sent[0]).toMatchObject({ headers: { metadata: "true" }, isLocal: true });
  });

  test("may be one of several, by its client id", async () => {
    const { means, sent } = passStage([granted]);
    await entraPass(target('{"identity_client_id":"id-2"}'))?.obtain(means);
    expect(sent[0]?.url).toContain("client_id=id-2");
  });

  test("is an app's own where its environment says so", async () => {
    const variables = { IDENTITY_ENDPOINT: "http://127.0.0.1:1/msi", IDENTITY_HEADER: "h" };
    const body = { access_token: "the-token", expires_on: String(passNowSeconds + 60) };
    const { means, sent } = passStage([{ body }], { variables });
    const grant = await entraPass(target("identity"))?.obtain(means);
    expect(sent[0]).toMatchObject({ headers: { "x-identity-header": "h" }, isLocal: true });
    expect(sent[0]?.url).toStartWith("http://127.0.0.1:1/msi?");
    expect(grant?.expiresAtSeconds).toBe(passNowSeconds + 60);
  });

  test("of a cluster is a token in a file", async () => {
    const variables = {
      AZURE_TENANT_ID: "t-2",
      AZURE_CLIENT_ID: "pod",
      AZURE_FEDERATED_TOKEN_FILE: "/f",
    };
    const { means, sent } = passStage([granted], { variables, files: { "/f": "jwt\n" } });
    await entraPass(target("workload"))?.obtain(means);
    expect(formOf(sent[0] ?? {})).toMatchObject({ client_id: "pod", client_assertion: "jwt" });
  });

  test("is refused as a key where the machine has none", async () => {
    const { means } = passStage([]);
    const work = entraPass(target("workload"))?.obtain(means);
    expect(await work?.catch((error: unknown) => error)).toMatchObject({ fault: { blame: "key" } });
  });
});

test.each([
  [401, { error: "invalid_client", error_description: "AADSTS7000215: wrong\nTrace" }, "key"],
  [400, { error: "invalid_grant" }, "key"],
  [400, { error: "unauthorized_client" }, "key"],
  [400, { error: "invalid_scope" }, "channel"],
  [429, { error: "temporarily_unavailable" }, "load"],
  [503, { error: "invalid_client" }, "channel"],
  [502, "<html>", "channel"],
])("a refusal with %i and %p is the fault of: %s", async (status, body, blame) => {
  const { means } = passStage([{ status, body }]);
  const error = await entraPass(target(secret))
    ?.obtain(means)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ fault: { blame, httpStatus: status } });
  expect(String(error)).not.toContain("Trace");
});
