// Hosts that belong to each cloud: those of its models, and those where a credential is exchanged
// for a token. A host under a cloud's domain that customers choose, such as a bucket's, is neither.

export type CloudType = "azure" | "bedrock" | "vertex";

interface CloudHosts {
  models: RegExp;
  exchange: RegExp;
}

interface AwsPartition {
  /** Prefix of its regions. */
  prefix: string;
  /** Name of the region that stands for all of it, as in `aws-cn-global`. */
  globalName: string;
  /** Region whose services answer for the global name. */
  globalRegion: string;
  suffix: string;
  dualStackSuffix: string;
}

const awsPartitions: readonly AwsPartition[] = [
  ["cn-", "aws-cn", "cn-northwest-1", "amazonaws.com.cn", "api.amazonwebservices.com.cn"],
  ["us-gov-", "aws-us-gov", "us-gov-west-1", "amazonaws.com", "api.aws"],
  ["eusc-", "aws-eusc", "eusc-de-east-1", "amazonaws.eu", "api.amazonwebservices.eu"],
  ["us-iso-", "aws-iso", "us-iso-east-1", "c2s.ic.gov", "api.aws.ic.gov"],
  ["us-isob-", "aws-iso-b", "us-isob-east-1", "sc2s.sgov.gov", "api.aws.scloud"],
  ["eu-isoe-", "aws-iso-e", "eu-isoe-west-1", "cloud.adc-e.uk", "api.cloud-aws.adc-e.uk"],
  ["us-isof-", "aws-iso-f", "us-isof-south-1", "csp.hci.ic.gov", "api.aws.hci.ic.gov"],
  ["", "aws", "us-east-1", "amazonaws.com", "api.aws"],
].map(([prefix = "", name = "", globalRegion = "", suffix = "", dualStackSuffix = ""]) => ({
  prefix,
  globalName: `${name}-global`,
  globalRegion,
  suffix,
  dualStackSuffix,
}));

const awsRegion = "[a-z]{2,4}(?:-[a-z]+){1,2}-\\d{1,2}";
const awsSuffix = alternatives(
  awsPartitions.flatMap(({ suffix, dualStackSuffix }) => [suffix, dualStackSuffix]),
);
const awsModelServices = ["bedrock(?:-runtime|-mantle)?(?:-fips)?", "aws-external-anthropic"].join(
  "|",
);

/** A service of AWS in a region, by its public name or by an interface endpoint (PrivateLink). */
function awsHost(services: string): string {
  const publicName = `(?:${services})\\.${awsRegion}\\.${awsSuffix}`;
  const endpointName = `vpce-[a-z0-9-]+\\.(?:${services})\\.${awsRegion}\\.vpce\\.${awsSuffix}`;
  return `${publicName}|${endpointName}`;
}

const azureModelDomains = [
  "openai.azure.com",
  "openai.azure.us",
  "openai.azure.cn",
  "cognitiveservices.azure.com",
  "cognitiveservices.azure.us",
  "cognitiveservices.azure.cn",
  "services.ai.azure.com",
  "services.ai.azure.us",
  "services.ai.azure.cn",
  "inference.ai.azure.com",
  "models.ai.azure.com",
  "api.cognitive.microsoft.com",
  "api.cognitive.microsoft.us",
  "api.cognitive.azure.us",
  "api.cognitive.azure.cn",
];

/** Those that Microsoft's own libraries trust without asking. */
const entraHosts = [
  "login.microsoftonline.com",
  "login.microsoft.com",
  "login.windows.net",
  "sts.windows.net",
  "login.microsoftonline.us",
  "login-us.microsoftonline.com",
  "login.usgovcloudapi.net",
  "login.partner.microsoftonline.cn",
  "login.chinacloudapi.cn",
  "login.microsoftonline.de",
  "login.sovcloud-identity.fr",
  "login.sovcloud-identity.de",
  "login.sovcloud-identity.sg",
];

/** The public cloud, and those that Google's partners run under their own domains. */
const googleDomain = alternatives(["googleapis.com", "s3nsapis.fr", "apis-berlin-build0.goog"]);

/** The forms that Google's own libraries accept: regional, with client certificates, private. */
function googleHost(service: string): string {
  return [
    `(?:[a-z0-9-]+[.-])?${service}(?:\\.mtls)?\\.${googleDomain}`,
    `${service}\\.[a-z0-9-]+(?:\\.rep)?(?:\\.mtls)?\\.${googleDomain}`,
    `(?:[a-z0-9-]+-)?${service}-[a-z0-9-]+\\.p(?:\\.mtls)?\\.${googleDomain}`,
  ].join("|");
}

const cloudHosts: Readonly<Record<CloudType, CloudHosts>> = {
  azure: {
    models: whole(`(?:[a-z0-9-]+\\.)+${alternatives(azureModelDomains)}`),
    exchange: whole(`(?:[a-z0-9]+\\.)?${alternatives(entraHosts)}`),
  },
  bedrock: {
    models: whole(awsHost(awsModelServices)),
    exchange: whole(`sts\\.${awsSuffix}|${awsHost("sts(?:-fips)?")}`),
  },
  vertex: {
    models: whole(googleHost("aiplatform")),
    exchange: whole(
      [
        ...["oauth2", "sts", "iamcredentials"].map(googleHost),
        // Key files of many years ago name these.
        "accounts\\.google\\.com|www\\.googleapis\\.com",
      ].join("|"),
    ),
  },
};

export function isCloudType(type: string): type is CloudType {
  return Object.hasOwn(cloudHosts, type);
}

/** Whether the address is one of the cloud's own for its models, by https on the usual port. */
export function isModelHost(type: CloudType, url: string): boolean {
  return isOwnUrl(cloudHosts[type].models, url);
}

/** Whether the address is one of the cloud's own for exchanging credentials. */
export function isExchangeHost(type: CloudType, url: string): boolean {
  return isOwnUrl(cloudHosts[type].exchange, url);
}

function isOwnUrl(hosts: RegExp, text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.protocol !== "https:" || url.port !== "") return false;
  return url.username === "" && url.password === "" && hosts.test(url.hostname);
}

const regionForm = new RegExp(`^${awsRegion}$`);

/** Whether it has the form of a region of AWS, or is the name for all of a partition. */
export function isAwsRegion(text: string): boolean {
  return regionForm.test(text) || awsPartitions.some(({ globalName }) => globalName === text);
}

/** The address of AWS' token service for a region; null for a text that is no region. */
export function awsTokenService(region: string): string | null {
  const named = awsPartitions.find(({ globalName }) => globalName === region);
  if (named) return `https://sts.${named.globalRegion}.${named.suffix}/`;
  const partition = awsPartitions.find(({ prefix }) => region.startsWith(prefix));
  if (!partition || !regionForm.test(region)) return null;
  return `https://sts.${region}.${partition.suffix}/`;
}

const locationForm = /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether it has the form of a location of Google's, which becomes a part of the host's name. */
export function isGoogleLocation(text: string): boolean {
  return locationForm.test(text);
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

function alternatives(names: readonly string[]): string {
  return `(?:${names.map((name) => name.replaceAll(".", "\\.")).join("|")})`;
}
