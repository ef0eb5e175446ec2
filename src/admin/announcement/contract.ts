// Announcements as they go over the wire. They are plain text: no reader may take one for anything
// else.
import { momentField } from "../../config/fields.ts";
import { orNull, text, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, plainTextSchema, removed } from "../contract/basics.ts";
import { patchOf } from "../patch.ts";
import { byPrefix, bySort } from "../search.ts";

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
export type AnnouncementInput = Static<typeof AnnouncementInput>;

const { call, list, open } = callsOf("Announcements");

export const openAnnouncementCalls = {
  list: open("GET /api/announcement/open", "Read what visitors are told", {
    answer: Type.Array(AnnouncementView),
  }),
};

export const announcementCalls = {
  list: list("GET /api/announcement", "Read what is announced", {
    item: AnnouncementView,
    filter: {
      all: { schema: word("true"), description: "For admins.", isFlag: true },
      ...byPrefix("How its title begins, in any capitals."),
      ...bySort(["created_at", "title", "starts_at", "ends_at"]),
    },
  }),
  create: call("POST /api/announcement", "Announce something", {
    permission: "site.write",
    body: bodyOf(AnnouncementInput, { title: "Maintenance", text: "Ten minutes on Sunday." }),
    answer: AnnouncementView,
  }),
  change: call("PATCH /api/announcement/{id}", "Change what is announced", {
    permission: "site.write",
    body: patchOf(AnnouncementInput.properties, { example: { title: "Short break" } }),
    answer: AnnouncementView,
  }),
  remove: call("DELETE /api/announcement/{id}", "Announce it no more", {
    permission: "site.write",
    answer: removed,
  }),
};
export type AnnouncementCalls = typeof announcementCalls;
export type OpenAnnouncementCalls = typeof openAnnouncementCalls;
