// Google's clients ask under `/v1beta` or under `/v1`, by their age and language: what is served
// under the one is served under the other.
import type { KeyRoute } from "./route.ts";

const older = /^\/v1beta(?=\/)/;

/** The rows, which stand under `/v1beta`, and each of them again under `/v1`. */
export function underBothVersions(rows: readonly KeyRoute[]): KeyRoute[] {
  return rows.flatMap((row) => [row, { ...row, path: row.path.replace(older, "/v1") }]);
}
