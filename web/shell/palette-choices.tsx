// Choices of the palette: a page, an action, or the thing whose name, id or text was typed.
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { maySearch } from "../core/key-text.ts";
import { addressOf, go } from "../core/place.ts";
import { chooseLanguage, signOut } from "../core/session.ts";
import { isDark, setTheme } from "../core/theme.ts";
import { language, languages } from "../core/words.ts";
import { Icon, type IconName } from "../kit/icon.tsx";
import { titleOf } from "../pages/titles.ts";
import { useFound, type Found } from "./found.ts";
import { closeOverlay, overlay } from "./overlays.ts";
import { commandAddress, isCalled, shownCommands } from "./palette/commands.ts";
import { t as commandWords } from "./palette/words.ts";
import { shownPages } from "./shown-pages.ts";
import { t } from "./later-words.ts";

interface Entry {
  /** Told apart by it. */
  id: string;
  label: string;
  note?: string | null;
  icon: IconName;
  run(): void;
}

/** The page that shows things whose ids begin so. */
const homes: readonly (readonly [start: string, page: string])[] = [
  ["req_", "requests"],
  ["task_", "media"],
  ["key_", "keys"],
  ["acc_", "people"],
  ["chn_", "channels"],
  ["asset_", "assets"],
];

function entriesOf(text: string): Entry[] {
  const home = homes.find(([start]) => text.startsWith(start));
  const names = shownPages();
  const byId = home && names.find(({ name }) => name === home[1]);
  if (byId) {
    const label = t().open(text);
    return [{ id: text, label, icon: byId.icon, run: () => go(addressOf(byId.name, text)) }];
  }
  // Pages come first; commands are for those who type.
  const commands = text === "" ? [] : commandEntries();
  return [...pageEntries(), ...commands, ...actions()].filter(({ id, label }) =>
    isCalled(text, label, id.replace("command ", "")),
  );
}

function commandEntries(): Entry[] {
  const shown = shownPages();
  return shownCommands().flatMap((command) => {
    const icon = shown.find(({ name }) => name === command.page)?.icon;
    if (icon === undefined) return [];
    const label = commandWords()[command.name];
    const run = () => go(commandAddress(command));
    return [{ id: `command ${command.name}`, label, icon, run }];
  });
}

function pageEntries(): Entry[] {
  return shownPages().map(({ name, icon }) => ({
    id: name,
    label: titleOf(name),
    icon,
    run: () => go(addressOf(name)),
  }));
}

/** Found things, with the icons of their pages. */
function foundEntries(found: readonly Found[]): Entry[] {
  const shown = shownPages();
  return found.flatMap(({ page, id, label, note }) => {
    const home = shown.find(({ name }) => name === page);
    const run = () => go(addressOf(page, id));
    return home ? [{ id: `${page} ${id}`, label, note, icon: home.icon, run }] : [];
  });
}

function actions(): Entry[] {
  const dark = isDark();
  const others = languages.filter(({ tag }) => tag !== language.value);
  return [
    {
      id: "theme",
      label: dark ? t().lightTheme : t().darkTheme,
      icon: dark ? "sun" : "moon",
      run: () => setTheme(dark ? "light" : "dark"),
    },
    ...others.map(({ tag, name }): Entry => {
      const run = () => void chooseLanguage(tag);
      return { id: tag, label: `${t().language}: ${name}`, icon: "language", run };
    }),
    { ...toOverlay("preferences"), label: t().preferences, icon: "settings" },
    { ...toOverlay("shortcuts"), label: t().shortcuts, icon: "table" },
    { id: "leave", label: t().signOut, icon: "leave", run: () => void signOut() },
  ];
}

function toOverlay(name: "preferences" | "shortcuts") {
  return { id: name, run: () => (overlay.value = name) };
}

/** Keys of the field, which the choices obey: none before they are there, but for a due Enter. */
export type PaletteKeys = RefObject<((event: KeyboardEvent) => void) | "enter" | null>;

interface ChoicesOptions {
  text: string;
  keys: PaletteKeys;
  /** Told the id of the choice that Enter takes. */
  onMark(id: string | undefined): void;
}

export function Choices({ text, keys, onMark }: ChoicesOptions) {
  const [mark, setMark] = useState({ text, at: 0 });
  // Another text begins with its first.
  const at = mark.text === text ? mark.at : 0;
  const found = useFound(text);
  const entries = [...entriesOf(text), ...foundEntries(found)];
  const marked = entries[at];
  const isDue = keys.current === "enter";
  useLayoutEffect(() => onMark(marked && `palette-${at}`), [marked === undefined, at]);
  useLayoutEffect(() => {
    if (isDue) choose(marked);
  }, []);
  keys.current = (event) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0) {
      event.preventDefault();
      setMark({ text, at: (at + by + entries.length) % Math.max(1, entries.length) });
    }
    if (event.key === "Enter" && !event.isComposing) choose(marked);
  };
  return (
    <ul id="palette-list" role="listbox" aria-label={t().jump}>
      {entries.map((entry, index) => (
        <li
          key={entry.id}
          id={`palette-${index}`}
          role="option"
          aria-selected={index === at}
          onPointerMove={() => setMark({ text, at: index })}
          onClick={() => choose(entry)}
        >
          <Icon name={entry.icon} />
          <span class="cut">{entry.label}</span>
          {entry.note && <span class="faint cut">{entry.note}</span>}
        </li>
      ))}
      {entries.length === 0 && (
        <li role="option" aria-selected="false">
          {maySearch(text) ? t().nothing : t().onlySecure}
        </li>
      )}
    </ul>
  );
}

function choose(entry: Entry | undefined): void {
  if (!entry) return;
  closeOverlay();
  entry.run();
}
