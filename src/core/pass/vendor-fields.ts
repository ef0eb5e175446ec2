// Fields that a channel of a cloud has besides its address; each type takes some of them
// (`config/cloud/rules.ts`).

export const vendorFieldNames = [
  "region",
  "project",
  "location",
  "api_version",
  "scope",
  "authority",
  "role_arn",
  "external_id",
  "workspace",
] as const;

/** Fields that decide neither which host is asked nor where a key is exchanged. */
export const hostlessFields: readonly (typeof vendorFieldNames)[number][] = [
  "project",
  "api_version",
  "scope",
  "role_arn",
  "external_id",
  "workspace",
];

export type VendorFields = { readonly [Name in (typeof vendorFieldNames)[number]]?: string };
