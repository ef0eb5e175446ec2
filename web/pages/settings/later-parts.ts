// Parts of the page of settings that most visits do without, fetched together.
export { SettingDetail } from "./detail.tsx";
export { Notices } from "./notices/list.tsx";
