// Fields that a channel of a cloud has besides its address, by its type.
import type { ChannelInput } from "../../../src/admin/contract.ts";
import type { Draft } from "../../kit/form-fields.tsx";

export type VendorFields = NonNullable<ChannelInput["vendor"]>;
type VendorName = keyof VendorFields;

export const cloudFields: Readonly<Record<string, readonly VendorName[]>> = {
  azure: ["api_version", "scope", "authority"],
  bedrock: ["region", "role_arn", "external_id", "workspace", "authority"],
  vertex: ["project", "location", "scope", "authority"],
};

export const vendorNames: readonly VendorName[] = [
  "region",
  "project",
  "location",
  "api_version",
  "role_arn",
  "external_id",
  "workspace",
  "scope",
  "authority",
];

export function takesField({ type }: Draft, name: VendorName): boolean {
  return cloudFields[String(type)]?.includes(name) ?? false;
}

/** The address with those parts filled in that the fields have, such as a preset's region. */
export function addressWith(baseUrl: string, fields: VendorFields): string {
  const filled = vendorNames.filter((name) => (fields[name] ?? "") !== "");
  return filled.reduce(
    (address, name) => address.replaceAll(`{${name}}`, fields[name] ?? ""),
    baseUrl,
  );
}

/** The object that the API has in place of the fields. */
export function vendorOf(fields: VendorFields): VendorFields {
  const named = vendorNames.flatMap((name) => {
    const value = fields[name] ?? "";
    return value === "" ? [] : [[name, value] as const];
  });
  return Object.fromEntries(named);
}
