// Choice of the page: that of the address, if it is there and for this person.
import { effect, signal } from "@preact/signals";
import { type ComponentType, Fragment } from "preact";
import { useEffect } from "preact/hooks";
import { isOffline } from "../core/api.ts";
import { isArriving } from "../core/arrival.ts";
import { page } from "../core/place.ts";
import { loadSelf, self } from "../core/session.ts";
import { language, wordsReady } from "../core/words.ts";
import { Button, LinkButton } from "../kit/button.tsx";
import { Empty } from "../kit/empty.tsx";
import { pages, signInPage, type PageEntry } from "../pages/index.ts";
import { titleOf } from "../pages/titles.ts";
import { Frame } from "./frame.tsx";
import { mayOpen, shownPages } from "./nav.tsx";
import { Screen } from "./screen.tsx";
import { t } from "./words.ts";

type Loader = PageEntry["load"];
/** Those that were opened, and those whose file could not be had. */
const loaded = signal<ReadonlyMap<Loader, ComponentType | "failed" | "away">>(new Map());

async function load(loader: Loader): Promise<void> {
  const result = await resultOf(loader);
  if (result !== null) loaded.value = new Map([...loaded.value, [loader, result]]);
}

/** Null where the whole page is about to be loaded anew. */
async function resultOf(loader: Loader): Promise<ComponentType | "failed" | "away" | null> {
  try {
    const { Page } = await loader();
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
  const loader = isEntering ? signInPage : entry?.load;
  const known = who === undefined || !loader ? undefined : loaded.value.get(loader);
  useEffect(() => {
    if (who !== undefined && loader && known === undefined) void load(loader);
  }, [who === undefined, loader, known]);
  useEffect(() => {
    if (!isOffline.value) return;
    const timer = setInterval(() => void loadSelf(), retryMs);
    return () => clearInterval(timer);
  }, [isOffline.value]);
  if (who === undefined) return null;
  const Shown = typeof known === "function" ? known : null;
  // A page that is open is drawn anew in the other language, also what it keeps in variables.
  const content = Shown && <Shown key={language.value} />;
  if (isEntering) return content;
  return (
    <Frame>
      <Fragment>{content ?? <NoPage entry={entry} state={known} />}</Fragment>
    </Frame>
  );
}

/** The start is the overview, or the first page that there is; for visitors it is to sign in. */
function entryOf(name: string): PageEntry | undefined {
  const entry = pages.find((one) => one.name === name);
  if (entry && (mayOpen(entry) || self.value === null)) return entry;
  return name === "overview" && self.value ? shownPages()[0] : undefined;
}

interface NoPageOptions {
  entry: PageEntry | undefined;
  state: ComponentType | "failed" | "away" | undefined;
}

function NoPage({ entry, state }: NoPageOptions) {
  const words = t();
  if (entry && state !== "failed") {
    return (
      <Screen title={titleOf(entry.name)} isComing={state === undefined}>
        {state === "away" && <Empty title={words.broken} text={words.awayText} />}
      </Screen>
    );
  }
  const hasFailed = state === "failed";
  return (
    <Screen title={hasFailed ? words.broken : words.missing}>
      <Empty
        title={hasFailed ? words.broken : words.missing}
        text={hasFailed ? words.brokenText : words.missingText}
      >
        {hasFailed ? (
          <Button icon="refresh" onClick={() => location.reload()}>
            {words.reload}
          </Button>
        ) : (
          <LinkButton href="/">{words.home}</LinkButton>
        )}
      </Empty>
    </Screen>
  );
}
