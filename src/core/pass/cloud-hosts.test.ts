// Regions and endpoints that the clouds' own packages know: all of them pass. Lists that no package
// here has are tables with their source.
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import {
  awsTokenService,
  isAwsRegion,
  isExchangeHost,
  isGoogleLocation,
  isModelHost,
  type CloudType,
} from "./cloud-hosts.ts";

const sdk = join(import.meta.dir, "../../../node_modules/@aws-sdk");
const runtime = join(sdk, "client-bedrock-runtime/dist-es/endpoint/endpointResolver.js");
const tokens = join(sdk, "nested-clients/dist-es/submodules/sts/endpoint/endpointResolver.js");
const partitionsFile = "core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js";

interface EndpointResolver {
  defaultEndpointResolver(parameters: object): { url: URL };
}

async function readRegions(): Promise<string[]> {
  const { partitionsInfo } = (await import(join(sdk, partitionsFile))) as {
    partitionsInfo: { partitions: { regions: Record<string, object> }[] };
  };
  return partitionsInfo.partitions.flatMap(({ regions }) => Object.keys(regions));
}

describe("AWS", () => {
  test("every region and endpoint of the SDK is accepted", async () => {
    const regions = await readRegions();
    const models = (await import(runtime)) as EndpointResolver;
    const exchange = (await import(tokens)) as EndpointResolver;
    expect(regions.length).toBeGreaterThan(50);
    expect(regions.filter((region) => !isAwsRegion(region))).toEqual([]);
    const isRegional = (region: string) => !region.endsWith("-global");
    const variants = [false, true].flatMap((UseFIPS) =>
      [false, true].map((UseDualStack) => ({ UseFIPS, UseDualStack })),
    );
    const refused = regions
      .filter(isRegional)
      .flatMap((Region) => [
        ...variants
          .map((variant) => models.defaultEndpointResolver({ Region, ...variant }).url.href)
          .filter((url) => !isModelHost("bedrock", url)),
        ...variants
          .map((variant) => exchange.defaultEndpointResolver({ Region, ...variant }).url.href)
          .filter((url) => !isExchangeHost("bedrock", url)),
      ]);
    expect(refused).toEqual([]);
  });

  test("the token service of each region is the one that the SDK asks", async () => {
    const { defaultEndpointResolver } = (await import(tokens)) as EndpointResolver;
    for (const Region of (await readRegions()).filter((name) => !name.endsWith("-global"))) {
      expect(awsTokenService(Region)).toBe(defaultEndpointResolver({ Region }).url.href);
    }
    for (const region of ["aws-global", "aws-cn-global", "aws-us-gov-global", "aws-iso-b-global"]) {
      expect(isExchangeHost("bedrock", awsTokenService(region) ?? "")).toBe(true);
    }
  });

  test.each([
    "s3",
    "s3-website-us-east-1",
    "elb",
    "execute-api",
    "a.b",
    "us-east-1/",
    "us-east-1.a",
  ])("%s is no region", (text) => {
    expect(isAwsRegion(text)).toBe(false);
    expect(awsTokenService(text)).toBeNull();
  });
});

// https://cloud.google.com/vertex-ai/docs/general/locations, and the multi-regions of
// https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations.
const googleLocations =
  "global us eu africa-south1 asia-east1 asia-east2 asia-northeast1 asia-northeast2 " +
  "asia-northeast3 asia-south1 asia-south2 asia-southeast1 asia-southeast2 " +
  "australia-southeast1 australia-southeast2 europe-central2 europe-north1 europe-north2 " +
  "europe-southwest1 europe-west1 europe-west2 europe-west3 europe-west4 europe-west6 " +
  "europe-west8 europe-west9 europe-west10 europe-west12 me-central1 me-central2 me-west1 " +
  "northamerica-northeast1 northamerica-northeast2 northamerica-south1 southamerica-east1 " +
  "southamerica-west1 us-central1 us-east1 us-east4 us-east5 us-south1 us-west1 us-west2 " +
  "us-west3 us-west4";

describe("Google", () => {
  test("every location is accepted, and every host that its SDKs make of one", () => {
    const locations = googleLocations.split(" ");
    expect(locations).toHaveLength(45);
    const hosts = locations.map((location) => {
      if (location === "global") return "aiplatform.googleapis.com";
      const isGroup = location === "us" || location === "eu";
      return isGroup
        ? `aiplatform.${location}.rep.googleapis.com`
        : `${location}-aiplatform.googleapis.com`;
    });
    expect(locations.filter((location) => !isGoogleLocation(location))).toEqual([]);
    expect(hosts.filter((host) => !isModelHost("vertex", `https://${host}/v1`))).toEqual([]);
  });

  // google-auth's external_account credentials, `_VALID_TOKEN_URL_PATTERNS` and its tests.
  test.each([
    "https://sts.googleapis.com/v1/token",
    "https://us-east-1.sts.googleapis.com/v1/token",
    "https://sts.us-east-1.googleapis.com/v1/token",
    "https://us-east-1-sts.googleapis.com/v1/token",
    "https://sts-us-east-1.p.googleapis.com/v1/token",
    "https://sts.mtls.googleapis.com/v1/token",
    "https://sts.europe-west1.rep.googleapis.com/v1/token",
    "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a:generateAccessToken",
    "https://oauth2.googleapis.com/token",
    "https://accounts.google.com/o/oauth2/token",
    "https://www.googleapis.com/oauth2/v4/token",
    "https://sts.s3nsapis.fr/v1/token",
  ])("credentials are exchanged at %s", (url) => {
    expect(isExchangeHost("vertex", url)).toBe(true);
  });
});

// `AzureAuthorityHosts` of @azure/identity and the known authorities of @azure/msal-common.
const entraAuthorities = [
  "https://login.microsoftonline.com",
  "https://login.windows.net",
  "https://login.microsoft.com",
  "https://sts.windows.net",
  "https://login.chinacloudapi.cn",
  "https://login.partner.microsoftonline.cn",
  "https://login.microsoftonline.us",
  "https://login.usgovcloudapi.net",
  "https://login-us.microsoftonline.com",
  "https://login.microsoftonline.de",
  "https://westus2.login.microsoft.com",
];

describe("Azure", () => {
  test.each(entraAuthorities)("tokens are asked for at %s", (url) => {
    expect(isExchangeHost("azure", url)).toBe(true);
  });
});

describe("an address of one's own", () => {
  test.each<[CloudType, string]>([
    ["azure", "https://res.openai.azure.com"],
    ["azure", "https://res.openai.azure.us/openai/v1"],
    ["azure", "https://res.cognitiveservices.azure.cn"],
    ["azure", "https://res.privatelink.openai.azure.com"],
    ["azure", "https://res.services.ai.azure.com/anthropic"],
    ["azure", "https://eastus.api.cognitive.microsoft.com"],
    ["bedrock", "https://bedrock-mantle.eu-west-1.api.aws/v1"],
    ["bedrock", "https://aws-external-anthropic.us-east-1.api.aws"],
    ["bedrock", "https://vpce-0a1b-2c3d.bedrock-runtime.eu-west-1.vpce.amazonaws.com"],
    ["bedrock", "https://vpce-0a1b-us-east-1a.bedrock-runtime.us-east-1.vpce.amazonaws.com"],
    ["bedrock", "https://vpce-0a1b.bedrock-runtime.cn-north-1.vpce.amazonaws.com.cn"],
    ["vertex", "https://us-central1-aiplatform-mine.p.googleapis.com"],
    ["vertex", "https://aiplatform-mine.p.googleapis.com"],
    ["vertex", "https://europe-west9-aiplatform.s3nsapis.fr"],
  ])("of %s is %s", (type, url) => {
    expect(isModelHost(type, url)).toBe(true);
  });

  test.each<[CloudType, string]>([
    ["azure", "https://mine.azure-api.net"],
    ["azure", "https://openai.azure.com.evil.example"],
    ["azure", "https://mine.eastus.inference.ml.azure.com"],
    ["azure", "http://res.openai.azure.com"],
    ["azure", "https://res.openai.azure.com:8443"],
    ["azure", "https://evil.example@res.openai.azure.com"],
    ["bedrock", "https://bedrock-runtime.s3.amazonaws.com"],
    ["bedrock", "https://mine.execute-api.us-east-1.amazonaws.com"],
    ["bedrock", "https://ec2-1-2-3-4.us-east-1.compute.amazonaws.com"],
    ["bedrock", "https://bedrock-runtime.us-east-1.evil.example"],
    ["vertex", "https://storage.googleapis.com/mine"],
    ["vertex", "https://evil.example/aiplatform.googleapis.com"],
    ["vertex", "https://aiplatform.googleapis.com.evil.example"],
  ])("of %s is not %s", (type, url) => {
    expect(isModelHost(type, url)).toBe(false);
  });
});
