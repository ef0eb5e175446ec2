// The operator's smaller pages about the gateway itself, which are fetched together.
export { Page as LivePage } from "./live/page.tsx";
export { Page as NodesPage } from "./nodes/page.tsx";
export { Page as SettingsPage } from "./settings/page.tsx";
export { Page as VirtualPage } from "./virtual/page.tsx";
