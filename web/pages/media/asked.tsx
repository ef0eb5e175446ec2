// Request of a task: the prompt as it came, the parameters that were set, and the media that it
// refers to.
import type { OwnTaskDetail } from "../../../src/admin/contract.ts";
import { Code } from "../../kit/code.tsx";
import { Facts } from "../../kit/figures.tsx";
import { t } from "./words.ts";

type AskedFor = OwnTaskDetail["asked"];

/** Said elsewhere, or nothing for a reader. */
const left = new Set(["model", "asked", "prompt", "media", "extras"]);

export function Asked({ asked }: { asked: AskedFor }) {
  const prompt = asked["prompt"];
  const pairs = [...pairsOf(asked), ...pairsOf(asked["extras"])];
  const references = referencesOf(asked["media"]);
  return (
    <>
      {typeof prompt === "string" && prompt !== "" && (
        <section class="stack" aria-label={t().prompt}>
          <h3>{t().prompt}</h3>
          <Code text={prompt} wraps />
        </section>
      )}
      {pairs.length > 0 && (
        <section class="stack" aria-label={t().parameters}>
          <h3>{t().parameters}</h3>
          <Facts pairs={pairs} />
        </section>
      )}
      {references.length > 0 && (
        <section class="stack" aria-label={t().references}>
          <h3>{t().references}</h3>
          <Facts pairs={references} />
        </section>
      )}
    </>
  );
}

/** The API's own names: a reader sends these. */
function pairsOf(fields: unknown): [string, string][] {
  if (!isRecord(fields)) return [];
  return Object.entries(fields)
    .filter(([name, value]) => !left.has(name) && !isNothing(value))
    .map(([name, value]) => [name, textOf(value)]);
}

function referencesOf(media: unknown): [string, string][] {
  if (!Array.isArray(media)) return [];
  return media.filter(isRecord).map((one, at) => {
    const source = isRecord(one["source"]) ? one["source"] : {};
    const place = source["url"] ?? (source["id"] ? `asset://${textOf(source["id"])}` : t().bytes);
    return [`${at + 1}. ${textOf(one["role"] ?? one["kind"])}`, textOf(place)];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
