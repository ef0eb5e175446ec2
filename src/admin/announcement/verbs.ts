// What is done with announcements, and what the reference says of it.
import { word } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import { listOf, pages, removed } from "../contract/basics.ts";
import { verb } from "../verb.ts";
import { changeAnnouncement } from "./change.ts";
import { AnnouncementView } from "./contract.ts";
import { createAnnouncement } from "./create.ts";
import { announcementChecker } from "./fields.ts";
import { listAnnouncementViews } from "./list.ts";
import { removeAnnouncement } from "./remove.ts";

const tag = "Announcements";
const { schema } = announcementChecker;

export const announcements = {
  list: verb({
    tag,
    summary: "Read what is announced",
    takes: "query",
    query: { ...pages, all: { schema: word("true"), description: "For admins." } },
    answer: listOf(AnnouncementView),
    run: listAnnouncementViews,
  }),
  create: verb({
    tag,
    summary: "Announce something",
    takes: "body",
    body: { schema, example: { title: "Maintenance", text: "Ten minutes on Sunday." } },
    answer: AnnouncementView,
    run: createAnnouncement,
  }),
  change: verb({
    tag,
    summary: "Change what is announced",
    takes: "idAndBody",
    body: { schema: Type.Partial(schema), example: { title: "Short break" } },
    answer: AnnouncementView,
    run: changeAnnouncement,
  }),
  remove: verb({
    tag,
    summary: "Announce it no more",
    takes: "id",
    answer: removed,
    run: removeAnnouncement,
  }),
};
