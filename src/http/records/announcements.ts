// Announcements to visitors before they sign in.
import { openAnnouncementCalls } from "../../admin/announcement/contract.ts";
import { listOpenAnnouncements } from "../../admin/announcement/open.ts";
import type { NotingNeeds } from "../../admin/audit/entry.ts";
import { openRow, succeed } from "../control-route.ts";
import type { PublicRoute } from "../route.ts";

export function announcementRoutes(needs: Pick<NotingNeeds, "database" | "clock">): PublicRoute[] {
  return [
    openRow("public", openAnnouncementCalls.list, async () =>
      succeed(await listOpenAnnouncements(needs)),
    ),
  ];
}
