// Fields of an announcement as its row has them, and as the wire does.
import { invalid } from "../../core/errors.ts";
import { unixSeconds } from "../../config/fields.ts";
import { toSeconds, toSecondsOrNull } from "../input.ts";
import type { AnnouncementInput, AnnouncementView } from "./contract.ts";
import type { AnnouncementRow } from "./queries.ts";

export const idPrefix = "ann_";

export function toFields(input: AnnouncementInput) {
  const at = (when: number | string | undefined) =>
    when === undefined ? null : unixSeconds(when) * 1000;
  const [starts_at_ms, ends_at_ms] = [at(input.starts_at), at(input.ends_at)];
  if (starts_at_ms !== null && ends_at_ms !== null && ends_at_ms <= starts_at_ms) {
    throw invalid("ends_at", "must be after starts_at");
  }
  const { title, text, level = "info", for_visitors: isOpen = false } = input;
  const for_visitors: AnnouncementRow["for_visitors"] = isOpen ? 1 : 0;
  return { title, text, level, for_visitors, starts_at_ms, ends_at_ms };
}

export function toView(row: AnnouncementRow): AnnouncementView {
  return {
    id: row.id,
    title: row.title,
    text: row.text,
    level: row.level,
    for_visitors: row.for_visitors === 1,
    starts_at: toSecondsOrNull(row.starts_at_ms),
    ends_at: toSecondsOrNull(row.ends_at_ms),
    created_at: toSeconds(row.created_at_ms),
    updated_at: toSeconds(row.updated_at_ms),
  };
}
