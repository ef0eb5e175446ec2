// Announcements as they go over the wire.
import { orNull, text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { momentSchema } from "../contract/basics.ts";

/** Plain text. */
export const AnnouncementView = Type.Object({
  id: text(),
  title: text(),
  text: text(),
  /** Null: from the start, or for good. */
  starts_at: orNull(momentSchema),
  ends_at: orNull(momentSchema),
  created_at: momentSchema,
  updated_at: momentSchema,
});
export type AnnouncementView = Static<typeof AnnouncementView>;
