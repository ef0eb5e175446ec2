// Addresses by which Google's clients ask: under `/v1beta` or under `/v1`, by their age and
// language, and in the words of Vertex AI, with a project and a location or with neither.
import type { KeyRoute } from "../route.ts";
import { aliasOf } from "./alias.ts";

const older = /^\/v1beta(?=\/)/;

/** The rows, which stand under `/v1beta`, and each of them again under `/v1`. */
export function underBothVersions(rows: readonly KeyRoute[]): KeyRoute[] {
  return rows.flatMap((row) => [row, aliasOf(row, row.path.replace(older, "/v1"))]);
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
export function withVertex(rows: readonly KeyRoute[]): KeyRoute[] {
  const places = vertexModels("google");
  return underBothVersions(rows).flatMap((row) => {
    if (row.aliasOf !== undefined) return [row];
    const rest = row.path.slice("/v1beta/models".length);
    return [row, ...places.map((place) => aliasOf(row, place + rest))];
  });
}
