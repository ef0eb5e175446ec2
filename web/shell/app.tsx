// Choice of the page: that of the address, if it is there and for this person.
import { effect, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { isOffline } from "../core/api.ts";
import { isArriving } from "../core/arrival.ts";
import { page } from "../core/place.ts";
import { loadSelf, self } from "../core/session.ts";
import { loadStyle, withRest } from "../core/style.ts";
import { language, wordsReady } from "../core/words.ts";
import { awayError, Failure } from "../kit/failure.tsx";
import { pages, signInPage, type PageEntry } from "../pages/index.ts";
import type * as FrameFile from "./frame.tsx";
import "./main-parts.ts";
import { mayOpen, shownPages } from "./shown-pages.ts";

type File = Pick<PageEntry, "load"> & { name: string };
type Lost = "failed" | "away";
/** Those that were opened, and those that could not be had. */
const loaded = signal<ReadonlyMap<File, ComponentType | Lost>>(new Map());
/** All but the door has it around. */
const frame = signal<typeof FrameFile | null>(null);

const door: File = { name: "sign-in", load: signInPage };
const nothing: File = {
  name: "nothing",
  load: async () => ({ Page: (await import("./frame.tsx")).Missing }),
};

async function load(file: File): Promise<void> {
  const result = await resultOf(file);
  if (result !== null) loaded.value = new Map([...loaded.value, [file, result]]);
}

/** Null where the whole page is about to be loaded anew. */
async function resultOf(file: File): Promise<ComponentType | Lost | null> {
  try {
    const framing = file === door ? null : loadFrame();
    const coming = file.name === "overview" ? file.load() : withRest(file.load());
    const [{ Page }] = await Promise.all([coming, loadStyle(file.name), framing]);
    await wordsReady();
    sessionStorage.removeItem(reloadMark);
    return Page;
  } catch {
    // Without a gateway the browser would have its own page of errors in place of the console.
    if (!(await loadSelf())) return "away";
    if (sessionStorage.getItem(reloadMark) !== null) return "failed";
    // After an update the old file may be gone: the page is loaded anew, once.
    sessionStorage.setItem(reloadMark, "1");
    location.reload();
    return null;
  }
}

/** It stands while the page is on its way. */
async function loadFrame(): Promise<void> {
  if (frame.peek()) return;
  const fetched = await import("./frame.tsx");
  await wordsReady();
  frame.value = fetched;
}

/** Pages wanted while the gateway was away are wanted again when it is back. */
effect(() => {
  if (isOffline.value) return;
  const rest = [...loaded.peek()].filter(([, result]) => result !== "away");
  if (rest.length < loaded.peek().size) loaded.value = new Map(rest);
});

const reloadMark = "sluice.reloaded";
const retryMs = 3000;

export function App() {
  const who = self.value;
  const entry = entryOf(page.value);
  const isEntering = isArriving() || (who === null && entry?.for !== "visitor");
  const file = isEntering ? door : (entry ?? nothing);
  const known = who === undefined ? undefined : loaded.value.get(file);
  useEffect(() => {
    if (who !== undefined && known === undefined) void load(file);
  }, [who === undefined, file, known]);
  useEffect(() => {
    if (!isOffline.value) return;
    const timer = setInterval(() => void loadSelf(), retryMs);
    return () => clearInterval(timer);
  }, [isOffline.value]);
  const Shown = typeof known === "function" ? known : null;
  const lost = typeof known === "string" ? known : null;
  // A page that is open is drawn anew in the other language, also what it keeps in variables.
  const content = Shown && <Shown key={language.value} />;
  if (isEntering || !frame.value) {
    return lost ? <Failure error={awayError()} onRetry={() => location.reload()} /> : content;
  }
  if (who === undefined) return null;
  const { Frame, NoPage } = frame.value;
  return <Frame>{content ?? <NoPage name={entry?.name ?? "overview"} {...{ lost }} />}</Frame>;
}

/** The start is the overview, or the first page that there is; for visitors it is to sign in. */
function entryOf(name: string): PageEntry | undefined {
  const entry = pages.find((one) => one.name === name);
  if (entry && (mayOpen(entry) || self.value === null)) return entry;
  return name === "overview" && self.value ? shownPages()[0] : undefined;
}
