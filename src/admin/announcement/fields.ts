// The fields of an announcement. It is plain text: who shows it must not read it as anything else.
import { invalid } from "../../core/errors.ts";
import { momentField, unixSeconds } from "../../config/fields.ts";
import { compile, Type, type Static } from "../../core/schema.ts";
import type { AnnouncementView } from "../contract.ts";
import { plainTextSchema } from "../contract/basics.ts";
import { toSeconds, toSecondsOrNull } from "../input.ts";
import type { AnnouncementRow } from "./queries.ts";

export const idPrefix = "ann_";

export const AnnouncementInput = Type.Object(
  {
    title: plainTextSchema(120, "What it is about, in a line."),
    text: plainTextSchema(4000, "What there is to say."),
    level: Type.Optional(
      Type.Enum(["info", "warning"], { description: "How much it matters. Default: info." }),
    ),
    for_visitors: Type.Optional(
      Type.Boolean({ description: "Show it before one signs in. Default: false." }),
    ),
    starts_at: Type.Optional(momentField("From when on it is shown.")),
    ends_at: Type.Optional(momentField("Until when it is shown.")),
  },
  { additionalProperties: false },
);

export const announcementChecker = compile(AnnouncementInput);
type AnnouncementInput = Static<typeof AnnouncementInput>;

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
