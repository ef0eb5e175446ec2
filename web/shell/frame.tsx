// The frame around every page of someone who is signed in.
import type { ComponentChildren } from "preact";
import { isOffline } from "../core/api.ts";
import { joining } from "../core/arrival.ts";
import { withRest } from "../core/style.ts";
import { later } from "../kit/later.tsx";
import { Alarms } from "./alarms.tsx";
import { BottomTabs, Side } from "./nav.tsx";
import { overlay } from "./overlays.ts";
import { Palette } from "./palette.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { t } from "./words.ts";

export { Missing, NoPage } from "./no-page.tsx";

const laterParts = () => withRest(import("./later-parts.ts"));
const Join = later(async () => (await laterParts()).Join);
const Preferences = later(async () => (await laterParts()).Preferences);
const ShortcutList = later(async () => (await laterParts()).ShortcutList);

export function Frame({ children }: { children: ComponentChildren }) {
  useShortcuts();
  return (
    <div class="shell">
      <a class="button skip" href="#content">
        {t().skip}
      </a>
      <Side />
      <main class="stage">
        {isOffline.value && (
          <p class="lost" role="status">
            {t().offline}
          </p>
        )}
        <Alarms />
        {children}
      </main>
      <BottomTabs />
      {joining.value !== null && <Join />}
      {overlay.value === "palette" && <Palette />}
      {overlay.value === "preferences" && <Preferences />}
      {overlay.value === "shortcuts" && <ShortcutList />}
    </div>
  );
}
