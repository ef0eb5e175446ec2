import { AwsClient } from "aws4fetch";
import { describe, expect, test } from "bun:test";
import type { Target } from "../../upstream.ts";
import { formOf, passNowSeconds, passStage } from "../fixtures/pass-means.ts";
import { awsPass } from "./aws.ts";

const scope = { region: "us-east-1", service: "bedrock" };
const target = (key: string, vendor = {}): Target => {
  return { baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com", key, headers: {}, vendor };
};
const request = {
  method: "POST",
  url: "https://bedrock-runtime.us-east-1.amazonaws.com/model/m/invoke",
  headers: { "content-type": "application/json" },
  body: "{}",
};
const role = { role_arn: "arn:aws:iam::1:role/r", external_id: "ext" };
const inXml =
  "<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIA2</AccessKeyId>" +
  "<SecretAccessKey>role-secret</SecretAccessKey><SessionToken>role-token</SessionToken>" +
  "<Expiration>2026-11-18T04:00:00Z</Expiration></Credentials></AssumeRoleResult>" +
  "</AssumeRoleResponse>";
const inJson = {
  AssumeRoleResponse: {
    AssumeRoleResult: {
      Credentials: {
        AccessKeyId: "ASIA2",
        SecretAccessKey: "role-secret",
        SessionToken: "role-token",
        Expiration: passNowSeconds + 3600,
      },
    },
  },
};
const machine = {
  AccessKeyId: "ASIA3",
  SecretAccessKey: "machine-secret",
  Token: "machine-token",
  Expiration: "2026-11-18T09:00:00Z",
};

test("an API key is none that signs", () => {
  expect(awsPass(target("ABSKQmVkcm9ja0FQSUtleS1leGFtcGxl"), scope)).toBeNull();
});

describe("a pair", () => {
  test.each([
    ["as text", "AKIA1:secret-1", null],
    ["with a session token", "ASIA1:secret-1:token-1", "token-1"],
    ["as an object", '{"access_key_id":"AKIA1","secret_access_key":"secret-1"}', null],
  ])("signs at once and does not end, %s", async (_how, key, token) => {
    const { means, sent } = passStage([]);
    const grant = await awsPass(target(key), scope)?.obtain(means);
    const proof = grant?.sign(request, passNowSeconds);
    expect(proof?.["authorization"]).toContain("/20261118/us-east-1/bedrock/aws4_request");
    expect(proof?.["x-amz-security-token"] ?? null).toBe(token);
    expect([grant?.expiresAtSeconds, sent.length]).toEqual([null, 0]);
    expect(grant?.secrets).toContain("secret-1");
  });

  test.each<[string, object | string]>([
    ["XML", inXml],
    ["JSON", inJson],
  ])("assumes a role, whose credentials come as %s", async (_form, body) => {
    const { means, sent } = passStage([{ body }]);
    const grant = await awsPass(target("AKIA1:secret-1", role), scope)?.obtain(means);
    const [call] = sent;
    expect(call?.url).toBe("https://sts.us-east-1.amazonaws.com/");
    expect(formOf(call ?? {})).toEqual({
      Action: "AssumeRole",
      Version: "2011-06-15",
      RoleArn: role.role_arn,
      RoleSessionName: "sluice",
      ExternalId: "ext",
    });
    const { authorization = "", "x-amz-date": datetime = "", ...headers } = call?.headers ?? {};
    const judge = new AwsClient({
      accessKeyId: "AKIA1",
      secretAccessKey: "secret-1",
      service: "sts",
      region: "us-east-1",
    });
    const signed = await judge.sign(call?.url ?? "", {
      method: "POST",
      headers,
      body: call?.body ?? "",
      aws: { datetime, allHeaders: true },
    });
    expect(authorization).toBe(signed.headers.get("authorization") ?? "");
    expect(grant?.expiresAtSeconds).toBe(passNowSeconds + 3600);
    expect(grant?.secrets).toEqual(["role-secret", "role-token"]);
    expect(grant?.sign(request, passNowSeconds)).toMatchObject({
      "x-amz-security-token": "role-token",
    });
  });

  test("assumes a role in China at its own service", async () => {
    const { means, sent } = passStage([{ body: inXml }]);
    const region = { region: "cn-north-1", service: "bedrock" };
    await awsPass(target("AKIA1:secret-1", role), region)?.obtain(means);
    expect(sent[0]?.url).toBe("https://sts.cn-north-1.amazonaws.com.cn/");
  });
});

describe("the machine's own", () => {
  test("are an instance's, by the second version of its metadata", async () => {
    const { means, sent } = passStage([{ body: "imds" }, { body: "my-role\n" }, { body: machine }]);
    const grant = await awsPass(target("instance"), scope)?.obtain(means);
    const host = "http://169.254.169.254/latest";
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `PUT ${host}/api/token`,
      `GET ${host}/meta-data/iam/security-credentials/`,
      `GET ${host}/meta-data/iam/security-credentials/my-role`,
    ]);
    expect(sent[2]?.headers).toEqual({ "x-aws-ec2-metadata-token": "imds" });
    expect(sent.every(({ isLocal }) => isLocal)).toBe(true);
    expect(grant?.expiresAtSeconds).toBe(passNowSeconds + 6 * 3600);
  });

  test("are a container's, with the token of its file", async () => {
    const variables = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://169.254.170.23/v1/credentials",
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: "/f",
    };
    const stage = passStage([{ body: machine }], { variables, files: { "/f": "pod-token\n" } });
    const grant = await awsPass(target("container"), scope)?.obtain(stage.means);
    expect(stage.sent[0]).toMatchObject({
      url: variables.AWS_CONTAINER_CREDENTIALS_FULL_URI,
      headers: { authorization: "pod-token" },
    });
    expect(grant?.secrets).toEqual(["machine-secret", "machine-token"]);
  });

  test("are a cluster's, by an unsigned call with the token of its file", async () => {
    const variables = { AWS_WEB_IDENTITY_TOKEN_FILE: "/f", AWS_ROLE_ARN: "arn:pod" };
    const stage = passStage([{ body: inXml }], { variables, files: { "/f": "jwt" } });
    const grant = await awsPass(target("web_identity"), scope)?.obtain(stage.means);
    expect(formOf(stage.sent[0] ?? {})).toMatchObject({
      Action: "AssumeRoleWithWebIdentity",
      RoleArn: "arn:pod",
      WebIdentityToken: "jwt",
    });
    expect(stage.sent[0]?.headers).not.toHaveProperty("authorization");
    expect(grant?.expiresAtSeconds).toBe(passNowSeconds + 3600);
  });

  test("assume a role where the channel names one", async () => {
    const { means, sent } = passStage([
      { body: "imds" },
      { body: "r" },
      { body: machine },
      { body: inXml },
    ]);
    const grant = await awsPass(target("instance", role), scope)?.obtain(means);
    expect(formOf(sent[3] ?? {})["Action"]).toBe("AssumeRole");
    expect(sent[3]?.headers?.["x-amz-security-token"]).toBe("machine-token");
    expect(grant?.secrets).toEqual(["role-secret", "role-token"]);
  });

  test("are not asked for by what the metadata service answers with a refusal", async () => {
    const { means, sent } = passStage([{ status: 403, body: "<html>Forbidden</html>" }]);
    const error = await awsPass(target("instance"), scope)
      ?.obtain(means)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ fault: { blame: "channel" } });
    expect(sent).toHaveLength(1);
  });

  test.each(["container", "web_identity", "instance"])(
    "are refused as a key where it has none: %s",
    async (word) => {
      const { means } = passStage([{ body: "" }, { status: 404, body: "" }]);
      const error = await awsPass(target(word), scope)
        ?.obtain(means)
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ fault: { blame: "key" } });
    },
  );
});

test.each([
  [403, "AccessDenied", "key"],
  [403, "InvalidClientTokenId", "key"],
  [403, "ExpiredToken", "key"],
  [400, "Throttling", "load"],
  [400, "ValidationError", "channel"],
  [500, "InternalFailure", "channel"],
])("a refusal of the role with %i and %s is the fault of: %s", async (status, code, blame) => {
  const body = `<ErrorResponse><Error><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`;
  const { means } = passStage([{ status, body }]);
  const error = await awsPass(target("AKIA1:secret-1", role), scope)
    ?.obtain(means)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ fault: { blame } });
});

test.each([
  [401, null, true],
  [403, "ExpiredTokenException:http://internal.amazon.com/x", true],
  [403, "UnrecognizedClientException", true],
  [403, "AccessDeniedException", false],
  [403, null, false],
  [400, "ValidationException", false],
])("a reply with %i and %p says that the grant has ended: %p", (status, type, isRefused) => {
  const headers = new Headers(type === null ? {} : { "x-amzn-errortype": type });
  expect(awsPass(target("instance"), scope)?.isRefused?.(status, headers)).toBe(isRefused);
});
