// Pages of made media, of assets and of webhooks, which share much.
export { Page as AssetsPage } from "./assets/page.tsx";
export { Page as MediaPage } from "./media/page.tsx";
export { Page as WebhooksPage } from "./webhooks/page.tsx";
