// Rules about credentials of clouds: the hosts that each may be sent to, and the things of the
// machine that its text may name. They hold where a channel is entered and where the credential is
// used.
import { isObject, type Json, type JsonObject } from "../json.ts";
import { isMetadataHost, judgeUrl } from "../url-guard.ts";
import {
  isAwsRegion,
  isCloudType,
  isExchangeHost,
  isGoogleLocation,
  isModelHost,
  type CloudType,
} from "./cloud-hosts.ts";
import { credentialParts } from "./credential.ts";
import type { VendorFields } from "./vendor-fields.ts";

/**
 * The last one to set the address or the credential of a channel: the configuration file, the root
 * account, or an operator who may only do what a role permits.
 */
export type ChannelAuthor = "config" | "root" | "operator";

export interface CredentialUse {
  type: string;
  baseUrl: string;
  vendor?: VendorFields | undefined;
  allowPrivate?: boolean | undefined;
  author?: ChannelAuthor | undefined;
  proxy?: string | null | undefined;
}

export interface CredentialFault {
  path: "key" | "base_url" | "proxy" | `vendor.${keyof VendorFields}`;
  message: string;
  /** Root may do it, and the configuration file. */
  isForRoot?: true;
  /** The credential goes nowhere else because of it. */
  keepsHost?: true;
}

/** Words that a channel's key may be, each for an identity that the machine has. */
const machineWords: Readonly<Record<CloudType, readonly string[]>> = {
  azure: ["identity", "workload"],
  bedrock: ["instance", "container", "web_identity"],
  vertex: ["instance", "workload"],
};

/** The rules that the fields or the keys of a channel break. */
export function credentialFaults(use: CredentialUse, keys: readonly string[]): CredentialFault[] {
  const faults: (CredentialFault | null)[] = [proxyFault(use)];
  if (isCloudType(use.type)) {
    faults.push(...placeFaults(use), authorityFault(use));
    for (const key of keys) {
      faults.push(machineFault(use, key) ?? partsFault(use, credentialParts(key)));
    }
  }
  return faults.filter((fault) => fault !== null);
}

/** A proxy at an address where clouds hand out credentials. Company proxies may be private. */
export function proxyFault({ proxy }: Pick<CredentialUse, "proxy">): CredentialFault | null {
  if (typeof proxy !== "string" || !isMetadataHost(proxy)) return null;
  return { path: "proxy", message: "is an address of a cloud's metadata, which is no proxy" };
}

const plainName = /^[A-Za-z0-9](?:[\w.:-]*[\w])?$/;

/** Fields that become a part of an address, with the form that keeps its host the vendor's. */
const placeForms: readonly PlaceForm[] = [
  {
    name: "region",
    hasForm: isAwsRegion,
    message: "must be a region, such as us-east-1",
  },
  {
    name: "location",
    hasForm: isGoogleLocation,
    message: "must be a location, such as global or europe-west1",
  },
  {
    name: "project",
    hasForm: isPlainName,
    message: "must be a project's id or number",
    keepsHost: true,
  },
  {
    name: "api_version",
    hasForm: isPlainName,
    message: "must be a version, such as 2024-10-21",
    keepsHost: true,
  },
];

interface PlaceForm extends Pick<CredentialFault, "message" | "keepsHost"> {
  name: keyof VendorFields;
  hasForm(text: string): boolean;
}

/** Fields that could lead an address elsewhere. */
export function placeFaults({ vendor = {} }: Pick<CredentialUse, "vendor">): CredentialFault[] {
  return placeForms.flatMap(({ name, hasForm, ...fault }): CredentialFault[] => {
    const text = vendor[name];
    return text === undefined || hasForm(text) ? [] : [{ path: `vendor.${name}`, ...fault }];
  });
}

/** An address where the key is exchanged, and that is not the vendor's. */
export function authorityFault({
  type,
  vendor,
  allowPrivate,
}: CredentialUse): CredentialFault | null {
  const authority = vendor?.authority;
  if (authority === undefined || !isCloudType(type)) return null;
  if (isExchangeHost(type, authority)) return null;
  if (allowPrivate === true && judgeUrl(authority) === "private") return null;
  return { path: "vendor.authority", message: "must be an address of the vendor's" };
}

/** An identity of the machine that would leave its cloud, though only root may send it there. */
export function machineFault(use: CredentialUse, key: string): CredentialFault | null {
  const { type, baseUrl, vendor, author = "operator" } = use;
  if (author !== "operator" || !isCloudType(type) || !isMachineIdentity(type, key)) return null;
  const message = "sends an identity of this machine to a host that is not the vendor's";
  if (!isModelHost(type, baseUrl)) return { path: "base_url", message, isForRoot: true };
  const authority = vendor?.authority;
  if (authority === undefined || isExchangeHost(type, authority)) return null;
  return { path: "vendor.authority", message, isForRoot: true };
}

/** Whether a key stands for an identity that the machine has. */
function isMachineIdentity(type: CloudType, key: string): boolean {
  if (machineWords[type].includes(key)) return true;
  return type === "azure" && credentialParts(key)?.["identity_client_id"] !== undefined;
}

/** Parts that say where something of the credential is sent. */
const addressParts = ["token_uri", "token_url", "service_account_impersonation_url"] as const;
const sourceParts: readonly string[] = ["url", "headers", "format"];

/** A part of a key that names something of the machine, or another host than the vendor's. */
export function partsFault(use: CredentialUse, parts: JsonObject | null): CredentialFault | null {
  const { type, author = "operator" } = use;
  if (parts === null || !isCloudType(type)) return null;
  const source = parts["credential_source"];
  if (source !== undefined && author !== "config" && !isPlainSource(source)) {
    const message =
      "names a file or a program of the machine, which only its own configuration may";
    return { path: "key", message };
  }
  const sourceUrl = isObject(source) ? source["url"] : undefined;
  const ofSource = sourceUrl === undefined ? "public" : judgeAddress(sourceUrl);
  if (ofSource === "invalid") return { path: "key", message: "has a source that is no address" };
  if (ofSource === "private" && !mayBePrivate(use)) return privateFault("source");
  for (const name of addressParts) {
    const address = parts[name];
    if (address === undefined || isOwnAddress(type, address)) continue;
    if (judgeAddress(address) !== "private") {
      return { path: "key", message: `has a ${name} that is not the vendor's` };
    }
    if (!mayBePrivate(use)) return privateFault(name);
  }
  return null;
}

/** Only an address, with what is sent to it and how its answer is read. */
function isPlainSource(source: Json): boolean {
  if (!isObject(source)) return false;
  const { url } = source;
  if (typeof url !== "string" || url === "") return false;
  return Object.keys(source).every((name) => sourceParts.includes(name));
}

/** Private addresses need both: a channel that may reach them, and someone who owns the machine. */
export function mayBePrivate({ allowPrivate, author = "operator" }: CredentialUse): boolean {
  return allowPrivate === true && author !== "operator";
}

function privateFault(name: string): CredentialFault {
  const wayOut = "allow_private: true permits it to root and to the configuration file";
  const message = `has a ${name} on a private address; ${wayOut}`;
  return { path: "key", message, isForRoot: true };
}

function judgeAddress(address: Json): ReturnType<typeof judgeUrl> {
  return typeof address === "string" ? judgeUrl(address) : "invalid";
}

function isOwnAddress(type: CloudType, address: Json): boolean {
  return typeof address === "string" && isExchangeHost(type, address);
}

function isPlainName(text: string): boolean {
  return plainName.test(text) && !text.includes("..");
}
