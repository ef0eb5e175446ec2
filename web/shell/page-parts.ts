// Small parts that nearly every page has, in one file with the frame's own, as in
// `kit/list-parts.ts`.
import "../core/time/range.ts";
import "../core/first-steps.ts";
import "../core/key-text.ts";
import "../core/plural.ts";
import "../kit/code.tsx";
import "../kit/figures.tsx";
import "../kit/later.tsx";
import "../kit/tabs.tsx";
import "./alarms.tsx";
