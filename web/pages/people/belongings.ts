// Tabs of an account beside its own facts, in one file that is fetched with the first of them.
export { BudgetsOf, MembersOf, ProjectsOf } from "./organisation.tsx";
export { KeysOf, LedgerOf, TrailOf } from "./related.tsx";
export { WaysIn } from "./ways-in.tsx";
