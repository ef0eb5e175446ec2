// Addresses by which Google's clients ask: under `/v1beta` or under `/v1`, by their age and
// language, and in the words of Vertex AI, with a project and a location or with neither.
import { isObject } from "../../core/json.ts";
import type { KeyRoute } from "../route.ts";
import { aliasAt } from "./alias.ts";
import type { Rewrite } from "./rewritten-incoming.ts";

const older = /^\/v1beta(?=\/)/;

/** The rows, which stand under `/v1beta`, and each of them again under `/v1`. */
export function underBothVersions(rows: readonly KeyRoute[]): KeyRoute[] {
  return rows.flatMap((row) => [row, aliasAt(row, row.path.replace(older, "/v1"))]);
}

/** Paths of a publisher's models on Vertex AI. */
export function vertexModels(publisher: "google" | "anthropic"): string[] {
  const project = "/projects/{project}/locations/{location}";
  const places = publisher === "google" ? [project, ""] : [project];
  return places.flatMap((place) =>
    ["/v1", "/v1beta1"].map((version) => `${version}${place}/publishers/${publisher}/models`),
  );
}

/** The rows of Google's models under both versions, and as clients of Vertex AI ask for them. */
export function withVertex(rows: readonly KeyRoute[], rewrite?: Rewrite): KeyRoute[] {
  const aliases = rows.flatMap((row) => {
    const rest = row.path.slice("/v1beta/models".length);
    return vertexModels("google").map((models) =>
      aliasAt(row, models + rest, rewrite ? { rewrite } : {}),
    );
  });
  return [...underBothVersions(rows), ...aliases];
}

/** A row that stands at `rest` below the models of Vertex AI alone, and at each of its places. */
export function atVertexModels(row: Omit<KeyRoute, "path">, rest: string): KeyRoute[] {
  const paths = vertexModels("google").map((models) => models + rest);
  // The one that names no project, which nothing depends on.
  const [first = "", ...others] = paths.toReversed();
  const main = { ...row, path: first };
  return [main, ...others.map((path) => aliasAt(main, path))];
}

/** Embedding's options, which stand in an object of their own there. */
export const withoutEmbedConfig: Rewrite = ({ embedContentConfig: config, ...body }, incoming) => ({
  body: isObject(config) ? { ...config, ...body } : body,
  headers: incoming.headers,
});
