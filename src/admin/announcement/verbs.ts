// What is done with announcements, and what the reference says of it.
import type { ReferenceEntry } from "../../core/reference-entry.ts";
import { text, word } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import { removed } from "../contract/basics.ts";
import { bySort } from "../search.ts";
import { verbsOf } from "../verb.ts";
import { changeAnnouncement } from "./change.ts";
import { AnnouncementView } from "./contract.ts";
import { createAnnouncement } from "./create.ts";
import { AnnouncementInput } from "./fields.ts";
import { announcementSorts, listAnnouncementViews } from "./list.ts";
import { removeAnnouncement } from "./remove.ts";

const { list, verb } = verbsOf("Announcements");

export const announcementEntry: ReferenceEntry = {
  tag: "Announcements",
  summary: "Read what visitors are told",
  answer: Type.Array(AnnouncementView),
};

export const announcementVerbs = {
  list: list("Read what is announced", AnnouncementView, listAnnouncementViews, {
    all: { schema: word("true"), description: "For admins." },
    q: { schema: text(), description: "How its title begins, in any capitals." },
    ...bySort(announcementSorts),
  }),
  create: verb("Announce something", "body", createAnnouncement, {
    body: {
      schema: AnnouncementInput,
      example: { title: "Maintenance", text: "Ten minutes on Sunday." },
    },
    answer: AnnouncementView,
  }),
  change: verb("Change what is announced", "idAndBody", changeAnnouncement, {
    body: { schema: Type.Partial(AnnouncementInput), example: { title: "Short break" } },
    answer: AnnouncementView,
  }),
  remove: verb("Announce it no more", "id", removeAnnouncement, { answer: removed }),
};
