// Addresses by which clients of Azure OpenAI ask: those under `/openai/v1`, and the older ones, in
// which a deployment is the model. Any `api-version` is taken.
import type { KeyRoute } from "../route.ts";
import { aliasAt } from "./alias.ts";
import type { Rewrite } from "./rewritten-incoming.ts";

/** Rows whose older address names the deployment. */
const deployed = new Set([
  "/v1/chat/completions",
  "/v1/completions",
  "/v1/embeddings",
  "/v1/images/generations",
  "/v1/images/edits",
]);

/** The rows of OpenAI's wire, each followed by its addresses on Azure. */
export function withAzure(rows: readonly KeyRoute[]): KeyRoute[] {
  return rows.flatMap((row) => [row, ...azureAliases(row)]);
}

function azureAliases(row: KeyRoute): KeyRoute[] {
  const carriers = ["bearer", "api-key"] as const;
  const rest = row.path.slice("/v1".length);
  return [
    aliasAt(row, `/openai/v1${rest}`, { carriers }),
    deployed.has(row.path)
      ? aliasAt(row, `/openai/deployments/{model}${rest}`, { carriers, rewrite: deployedModel })
      : aliasAt(row, `/openai${rest}`, { carriers }),
  ];
}

/** The address decides: bodies name the model that is deployed there, or another, or none. */
const deployedModel: Rewrite = (body, { params, headers }) => ({
  body: { ...body, model: params["model"] ?? "" },
  headers,
});
