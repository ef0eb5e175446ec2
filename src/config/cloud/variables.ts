// Facts that clouds tell a program of its own identity, under the names that their own tools read.
// Channels whose key is the word for it use them, and nothing else does.
import type { Environment } from "../environment.ts";

const names = [
  "AWS_CONTAINER_AUTHORIZATION_TOKEN",
  "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
  "AWS_EC2_METADATA_SERVICE_ENDPOINT",
  "AWS_ROLE_ARN",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AZURE_CLIENT_ID",
  "AZURE_FEDERATED_TOKEN_FILE",
  "AZURE_POD_IDENTITY_AUTHORITY_HOST",
  "AZURE_TENANT_ID",
  "GCE_METADATA_HOST",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "IDENTITY_ENDPOINT",
  "IDENTITY_HEADER",
] as const;

export function readCloudVariables(environment: Environment): Record<string, string> {
  const variables = names.map((name) => [name, environment[name] ?? ""] as const);
  return Object.fromEntries(variables.filter(([, value]) => value !== ""));
}
