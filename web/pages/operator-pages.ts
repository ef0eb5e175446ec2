// The operator's smaller pages, which are fetched together.
export { Page as AnnouncementsPage } from "./announcements/page.tsx";
export { Page as AuditPage } from "./audit/page.tsx";
export { Page as CodesPage } from "./codes/page.tsx";
export { Page as GroupsPage } from "./groups/page.tsx";
export { Page as LivePage } from "./live/page.tsx";
export { Page as NodesPage } from "./nodes/page.tsx";
export { Page as PeoplePage } from "./people/page.tsx";
export { Page as SettingsPage } from "./settings/page.tsx";
export { Page as VirtualPage } from "./virtual/page.tsx";
