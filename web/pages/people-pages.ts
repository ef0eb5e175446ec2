// The operator's pages about people and what they did, which are fetched together.
export { Page as AuditPage } from "./audit/page.tsx";
export { Page as CodesPage } from "./codes/page.tsx";
export { Page as GroupsPage } from "./groups/page.tsx";
export { Page as PeoplePage } from "./people/page.tsx";
