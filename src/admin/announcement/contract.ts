// Announcements as they go over the wire.
import { orNull, text, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { momentSchema } from "../contract/basics.ts";

/** Plain text. */
export const AnnouncementView = Type.Object({
  id: text(),
  title: text(),
  text: text(),
  level: Type.Unsafe<"info" | "warning">({
    ...word("info", "warning"),
    description: "How much it matters.",
  }),
  for_visitors: Type.Boolean({ description: "Whether it is shown before one signs in." }),
  /** Null: from the start, or for good. */
  starts_at: orNull(momentSchema),
  ends_at: orNull(momentSchema),
  created_at: momentSchema,
  updated_at: momentSchema,
});
export type AnnouncementView = Static<typeof AnnouncementView>;
