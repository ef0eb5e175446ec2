// What was made, what goes into it and who is told of it: three pages that share much.
export { Page as AssetsPage } from "./assets/page.tsx";
export { Page as MediaPage } from "./media/page.tsx";
export { Page as WebhooksPage } from "./webhooks/page.tsx";
