// A task's results, as links that work for a while.
import type { Links } from "../../gateway/own-links.ts";
import { readResult } from "../../tasks/result-row.ts";
import type { KeptImage, TaskResult } from "../../tasks/task.ts";
import type { ResultView } from "./contract.ts";

/** Wide enough for a card of a gallery. */
const thumbnailWidth = 320;

export function resultViewsOf(media: Links, result: TaskResult | null): ResultView[] {
  return keptOf(result).map((kept) => toResultView(media, kept));
}

/** The first of what a row holds, so that a list can show it. */
export function previewOf(media: Links, row: string): ResultView | null {
  return resultViewsOf(media, readResult(JSON.parse(row)))[0] ?? null;
}

type Kept = Pick<KeptImage, "mediaId" | "bytes" | "type" | "width" | "height">;

function keptOf(result: TaskResult | null): Kept[] {
  if (result === null) return [];
  if ("items" in result) return result.items;
  if ("image" in result) return result.image ? [result.image] : [];
  return "mediaId" in result ? [{ ...result, width: null, height: null }] : [];
}

/** Without the host: whoever reads this has reached the gateway by one already. */
function toResultView(media: Links, kept: Kept): ResultView {
  const whole = media.link(kept.mediaId);
  const url = whole.slice(whole.indexOf("/media/"));
  const { type, bytes, width, height } = kept;
  const thumbnail = type.startsWith("image/") ? `${url}&width=${thumbnailWidth}` : null;
  return { url, thumbnail_url: thumbnail, type, bytes, width, height };
}
