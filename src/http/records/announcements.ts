// What visitors are told before they sign in.
import { openAnnouncementsEntry } from "../../admin/announcement/contract.ts";
import { listOpenAnnouncements } from "../../admin/announcement/open.ts";
import type { NotingNeeds } from "../../admin/audit/entry.ts";
import { succeed } from "../control-route.ts";
import type { PublicRoute } from "../route.ts";

export function announcementRoutes(needs: Pick<NotingNeeds, "database" | "clock">): PublicRoute[] {
  return [
    {
      method: "GET",
      path: "/api/announcement/open",
      policy: "public",
      envelope: "session",
      entry: openAnnouncementsEntry,
      serve: async () => succeed(await listOpenAnnouncements(needs)),
    },
  ];
}
