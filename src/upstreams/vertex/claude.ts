// Claude on Vertex: Anthropic's body with the version in it, the model in the address, and only the
// betas that are known there, since others are refused with the whole request.
import type { JsonObject } from "../../core/json.ts";
import type { LeftOut } from "../../formats/format.ts";
import { splitBetas } from "../kit/claude-betas.ts";
import { lowered } from "../kit/headers.ts";
import type { Address, Target, TextAsk } from "../upstream.ts";
import { addressAt } from "./address.ts";

const models = "publishers/anthropic/models/";
/** The older version: it takes everything that the newer one takes, and the sampling parameters. */
const oldVersion = "vertex-2023-10-16";
const newestVersion = "2026-10-21";

const knownBetas: ReadonlySet<string> = new Set([
  "compact-2026-01-12",
  "computer-use-2025-01-24",
  "computer-use-2025-11-24",
  "context-1m-2025-08-07",
  "context-management-2025-06-27",
  "dangerous-tool-use-2026-09-03",
  "interleaved-thinking-2025-05-14",
  "per-turn-control-2026-07-01",
  "thinking-binding-controls-2026-08-01",
  "thinking-display-updates-2026-08-18",
  "tool-search-tool-2025-10-19",
  "web-search-2025-03-05",
]);
/** Counting is an address of its own, whose body names the model. */
export function claudeAddress(ask: TextAsk, target: Target): Address | null {
  const { action, model, stream } = ask;
  if (action === "compact") return null;
  const isCount = action === "count";
  const name = isCount ? "count-tokens" : model.replace(/^publishers\/anthropic\/models\//, "");
  const betas = betasOf(ask.wireHeaders).sent.join(",");
  return addressAt(target, {
    version: "v1",
    path: models + name,
    verb: stream && !isCount ? ":streamRawPredict" : ":rawPredict",
    wireHeaders: betas === "" ? {} : { "anthropic-beta": betas },
  });
}

export function toRawPredict(
  body: JsonObject,
  { action, model, wireHeaders }: TextAsk,
): JsonObject {
  const { model: _model, anthropic_beta: _betas, ...rest } = body;
  const isNewest = lowered(wireHeaders)["anthropic-version"] === newestVersion;
  return {
    anthropic_version: isNewest ? newestVersion : oldVersion,
    ...(action === "count" && { model }),
    ...rest,
  };
}

/** Betas that are left out, since one that is not known is refused with the whole request. */
export function fitRawPredict({ wireHeaders }: TextAsk): LeftOut[] {
  const { others } = betasOf(wireHeaders);
  return others.length === 0 ? [] : [{ field: null, name: "anthropic-beta" }];
}

function betasOf(wireHeaders: TextAsk["wireHeaders"]) {
  return splitBetas(lowered(wireHeaders)["anthropic-beta"] ?? "", knownBetas);
}
