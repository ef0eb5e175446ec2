// Parts that the sign-in and the frame both show, in the entry's own file, as in
// `kit/list-parts.ts`.
import "../kit/badge.tsx";
import "../kit/empty.tsx";
import "../kit/menu.tsx";
import "../pages/titles.ts";
import "./mark.tsx";
import "./switches.tsx";
