// Parts of the frame that stand over a page, in one file that is fetched with the first of them.
export { Join } from "./join/join.tsx";
export { Preferences } from "./preferences.tsx";
export { ShortcutList } from "./shortcut-list.tsx";
