// A chart with its legend in one file for the pages that have either, as in `kit/list-parts.ts`.
import "./breakdown.tsx";
