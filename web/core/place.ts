// The browser's place. Page, filters and what is open stand in the address, so that a view can be
// shared and the browser's own buttons work.
import { computed, signal } from "@preact/signals";
import { withScope } from "./scope.ts";

const here = signal(location.pathname + location.search);
addEventListener("popstate", () => (here.value = location.pathname + location.search));

const path = computed(() => here.value.split("?")[0] ?? "/");
/** The page's name; the overview is at the top. */
export const page = computed(() => path.value.split("/")[2] ?? "overview");
/** The part of the page that is open: `/console/keys/key_1`. */
export const pageId = computed(() => {
  const part = path.value.split("/")[3];
  return part === undefined || part === "" ? null : decoded(part);
});
/** An address that somebody has cut may end within a letter. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const query = computed(() => new URLSearchParams(here.value.split("?")[1] ?? ""));

export function addressOf(name: string, id?: string): string {
  if (name === "overview") return "/";
  return `/console/${name}${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;
}

export function go(to: string): void {
  const address = withScope(to);
  if (address === here.value) return;
  history.pushState(null, "", address);
  here.value = address;
  scrollTo(0, 0);
}

/** Opens one thing of the page, or none, and keeps the filters. */
export function openId(id: string | null): void {
  const search = query.value.toString();
  const address = addressOf(page.value, id ?? undefined) + (search && `?${search}`);
  history.pushState(null, "", address);
  here.value = address;
}

/** Changes some of the query and keeps the rest; null takes one out. A step can be gone back. */
export function setQuery(changes: Record<string, string | null>, isStep = false): void {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") next.delete(name);
    else next.set(name, value);
  }
  const search = next.toString();
  const address = path.value + (search && `?${search}`);
  if (isStep) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  here.value = address;
}

/** Whether the form of something new is open: by a button or by a link, so the address says it. */
export const isMaking = () => query.value.has("new");

export function setMaking(isOpen: boolean): void {
  setQuery({ new: isOpen ? "1" : null });
}

/** Links of our own change the page without loading it; everything else is the browser's. */
addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || event.defaultPrevented || event.button !== 0 || link.target !== "") return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const to = new URL(link.href);
  const isOurs = to.pathname === "/" || to.pathname.startsWith("/console/");
  if (to.origin !== location.origin || !isOurs || link.hasAttribute("download")) return;
  event.preventDefault();
  go(to.pathname + to.search);
});
