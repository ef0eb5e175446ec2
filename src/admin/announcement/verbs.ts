// Announcements: each call with its function.
import { bind } from "../bind.ts";
import { changeAnnouncement } from "./change.ts";
import { announcementCalls } from "./contract.ts";
import { createAnnouncement } from "./create.ts";
import { listAnnouncementViews } from "./list.ts";
import { removeAnnouncement } from "./remove.ts";

export const announcementVerbs = bind(announcementCalls, {
  list: listAnnouncementViews,
  create: createAnnouncement,
  change: changeAnnouncement,
  remove: removeAnnouncement,
});
