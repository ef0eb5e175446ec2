// Messages as clients of clouds ask for them: the model, and whether it streams, stand in the
// address; the version and the betas stand in the body.
import { invalid } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { aliasAt, rewriting } from "../aliases/alias.ts";
import { vertexModels } from "../aliases/google.ts";
import type { Rewrite } from "../aliases/rewritten-incoming.ts";
import type { KeyRoute } from "../route.ts";

/** The row of messages, and its addresses on Vertex AI. */
export function withVertexMessages(row: KeyRoute): KeyRoute[] {
  const aliases = vertexModels("anthropic").flatMap((models) => [
    aliasAt(row, `${models}/{model}:rawPredict`, { rewrite: addressed({}) }),
    aliasAt(row, `${models}/{model}:streamRawPredict`, { rewrite: addressed({ stream: true }) }),
  ]);
  return [row, ...aliases];
}

/** The row that counts them, and its addresses there, where the body names the model. */
export function withVertexCount(row: KeyRoute): KeyRoute[] {
  const aliases = vertexModels("anthropic").map((models) =>
    aliasAt(row, `${models}/count-tokens:rawPredict`, { rewrite: withoutCloud }),
  );
  return [row, ...aliases];
}

/**
 * A row of Bedrock, whose address decides whether it streams. Amazon's clients call a body that
 * nobody gave a type a stream of octets.
 */
export function bedrockRow(row: KeyRoute, stream: boolean): KeyRoute {
  return rewriting(row, addressed({ stream }), "any");
}

function addressed(said: { stream?: boolean }): Rewrite {
  return (sent, incoming) => {
    const { body, headers } = withoutCloud(sent, incoming);
    return { body: { ...body, model: incoming.params["model"] ?? "", ...said }, headers };
  };
}

/** A version that vendors take in the header; those with the name of a cloud they do not know. */
const dated = /^\d{4}-\d{2}-\d{2}$/;

/** The version and the betas as headers, where every upstream of the format looks for them. */
const withoutCloud: Rewrite = (sent, incoming) => {
  const { anthropic_version: version, anthropic_beta: betas, ...body } = sent;
  const headers = new Headers(incoming.headers);
  if (version !== undefined && typeof version !== "string") {
    throw invalid("anthropic_version", "must be a string.");
  }
  if (version !== undefined && dated.test(version) && !headers.has("anthropic-version")) {
    headers.set("anthropic-version", version);
  }
  const sentBetas = headers.get("anthropic-beta")?.split(/\s*,\s*/) ?? [];
  const named = new Set([...sentBetas, ...readBetas(betas)]);
  if (named.size > 0) headers.set("anthropic-beta", [...named].join(","));
  return { body, headers };
};

const betaName = /^[\w.:-]{1,100}$/;

function readBetas(betas: JsonObject[string]): string[] {
  if (betas === undefined || betas === null) return [];
  if (!Array.isArray(betas)) throw invalid("anthropic_beta", "must be a list of names.");
  return betas.map((beta: Json, at) => {
    if (typeof beta === "string" && betaName.test(beta)) return beta;
    throw invalid(`anthropic_beta.${at}`, "is not the name of a beta.");
  });
}
