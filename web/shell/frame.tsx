// The frame around every page of someone who is signed in.
import type { ComponentChildren } from "preact";
import { isOffline } from "../core/api.ts";
import { Alarms } from "./alarms.tsx";
import { Join } from "./join.tsx";
import { BottomTabs, Side } from "./nav.tsx";
import { overlay } from "./overlays.ts";
import { Palette } from "./palette.tsx";
import { Preferences } from "./preferences.tsx";
import { Shortcuts, useShortcuts } from "./shortcuts.tsx";
import { t } from "./words.ts";

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
      <Join />
      {overlay.value === "palette" && <Palette />}
      {overlay.value === "preferences" && <Preferences />}
      {overlay.value === "shortcuts" && <Shortcuts />}
    </div>
  );
}
