// Announcements as they go over the wire.
import { orNull, text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { moment } from "../contract/basics.ts";

/** Plain text. */
export const AnnouncementView = Type.Object({
  id: text(),
  title: text(),
  text: text(),
  /** Null: from the start, or for good. */
  starts_at: orNull(moment),
  ends_at: orNull(moment),
  created_at: moment,
  updated_at: moment,
});
export type AnnouncementView = Static<typeof AnnouncementView>;
