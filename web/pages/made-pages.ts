// Pages of made media, of assets and of webhooks, which share much, and two that would make the
// files of the operator's other pages too heavy.
export { Page as AnnouncementsPage } from "./announcements/page.tsx";
export { Page as AssetsPage } from "./assets/page.tsx";
export { Page as MediaPage } from "./media/page.tsx";
export { Page as RolesPage } from "./roles/page.tsx";
export { Page as WebhooksPage } from "./webhooks/page.tsx";
