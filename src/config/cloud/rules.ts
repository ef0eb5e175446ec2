// Rules for channels of clouds: the fields of `vendor` that each type takes, and the shapes that
// its key may have. No fault repeats a value.
import { Type, type SchemaFault } from "../../core/schema.ts";
import { channelUse } from "./channel-use.ts";
import { credentialParts } from "../../core/pass/credential.ts";
import {
  authorityFault,
  partsFault,
  placeFaults,
  type ChannelAuthor,
} from "../../core/pass/credential-rules.ts";
import { vendorFieldNames, type VendorFields } from "../../core/pass/vendor-fields.ts";

interface CloudRules {
  fields: readonly (keyof VendorFields)[];
  /** Parts of a key that is an object: one of these sets, whole. */
  shapes: readonly (readonly string[])[];
}

const clouds: Readonly<Record<string, CloudRules>> = {
  azure: {
    fields: ["api_version", "scope", "authority"],
    shapes: [["tenant_id", "client_id", "client_secret"], ["identity_client_id"]],
  },
  bedrock: {
    fields: ["region", "role_arn", "external_id", "workspace", "authority"],
    shapes: [["access_key_id", "secret_access_key"]],
  },
  vertex: {
    fields: ["project", "location", "scope", "authority"],
    shapes: [
      ["client_email", "private_key"],
      ["audience", "subject_token_type", "credential_source"],
    ],
  },
};

const descriptions: Readonly<Record<keyof VendorFields, string>> = {
  region: "The cloud's region, such as us-east-1. Default: by base_url.",
  project: "The cloud's project that pays. Default: that of the key.",
  location: "The cloud's location, such as global. Default: by base_url.",
  api_version: "A dated version of the API, such as 2024-10-21. Default: the one without a date.",
  scope: "The scope that a token is asked for. Default: the vendor's own.",
  authority: "The address where the key is exchanged for a token. Default: the vendor's own.",
  role_arn: "The role that the key assumes.",
  external_id: "The id that the role's owner asks for.",
  workspace: "The workspace of Claude Platform on AWS that pays.",
};

const fieldOf = (name: keyof VendorFields) =>
  Type.Optional(
    Type.Refine(
      Type.String({ minLength: 1, maxLength: 2048, description: descriptions[name] }),
      (text) => /^[\x21-\x7e]+$/.test(text),
      () => "must be visible ASCII characters without spaces",
    ),
  );

export const vendorFields = Type.Object(
  {
    region: fieldOf("region"),
    project: fieldOf("project"),
    location: fieldOf("location"),
    api_version: fieldOf("api_version"),
    scope: fieldOf("scope"),
    authority: fieldOf("authority"),
    role_arn: fieldOf("role_arn"),
    external_id: fieldOf("external_id"),
    workspace: fieldOf("workspace"),
  },
  { additionalProperties: false, description: "What a cloud has to know besides; by type." },
);

const awsRegion = /^[a-z-]+\.([a-z]{2,}(?:-[a-z]+)+-\d)\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/;

interface CloudChannel {
  type: string;
  format?: string | undefined;
  base_url?: string;
  vendor?: VendorFields | undefined;
  allow_private?: boolean | undefined;
}

/** Fields that the type does not take, or that lead elsewhere than to its vendor. */
export function vendorFaults(channel: CloudChannel): SchemaFault[] {
  const { type, vendor = {} } = channel;
  const rules = clouds[type];
  const faults: SchemaFault[] = vendorFieldNames
    .filter((name) => vendor[name] !== undefined && !rules?.fields.includes(name))
    .map((name) => ({ path: `vendor.${name}`, message: `is not for channels of type ${type}` }));
  faults.push(...regionFaults(channel));
  if (!rules) return faults;
  const use = channelUse(channel, "operator");
  const ofAddress = [...placeFaults(use), authorityFault(use)].filter((fault) => fault !== null);
  return [...faults, ...ofAddress.map(({ path, message }) => ({ path, message }))];
}

/** A signature for another region than the host's is refused, and puts its key out. */
function regionFaults({ type, base_url = "", vendor = {} }: CloudChannel): SchemaFault[] {
  const { region } = vendor;
  const [, own] = awsRegion.exec(URL.parse(base_url)?.hostname ?? "") ?? [];
  if (type !== "bedrock" || !region || !own || region === own) return [];
  return [{ path: "vendor.region", message: `is not the region of base_url, which is ${own}` }];
}

/** Null where nothing is wrong with it, or it has no parts. */
export function cloudKeyFault(
  channel: CloudChannel,
  text: string,
  author: ChannelAuthor,
): string | null {
  const rules = clouds[channel.type];
  const parts = credentialParts(text);
  if (!rules || parts === null) return null;
  const isWhole = (shape: readonly string[]) => shape.every((name) => parts[name] !== undefined);
  if (!rules.shapes.some(isWhole)) {
    const shapes = rules.shapes.map((shape) => shape.join(", ")).join("; or ");
    return `must be a JSON object with ${shapes}`;
  }
  return partsFault(channelUse(channel, author), parts)?.message ?? null;
}

/**
 * Null where it is known which project pays: by the channel, its address or the key. A key of
 * express mode needs none for Google's own models, which is what the type speaks by default.
 */
export function projectFault(channel: CloudChannel, text: string): string | null {
  const { type, format = "content", vendor = {}, base_url = "" } = channel;
  if (type !== "vertex" || vendor.project !== undefined) return null;
  if (/\/projects\/[^/]+\/locations\//.test(base_url)) return null;
  const parts = credentialParts(text);
  if (parts?.["project_id"] !== undefined) return null;
  const isWord = text === "instance" || text === "workload";
  if (parts === null && !isWord && format === "content") return null;
  return "is needed: neither the key nor base_url says which project pays";
}

/** Whether the type takes keys of several parts. */
export function isCloud(type: string): boolean {
  return clouds[type] !== undefined;
}
