// A browser on its way through a provider: sent there by the gateway, back with what it was given.
import type { Browser } from "../browser.ts";

const hopsMax = 12;
/** Headers of a browser when somebody follows a link or a redirect. */
export const navigation = { accept: "text/html,application/xhtml+xml", "content-type": "" };
/** Headers of navigations that come from a provider. */
export const fromProvider = { ...navigation, "sec-fetch-site": "cross-site" };

/** Follows a provider's redirects until they lead to a callback of the gateway. */
export async function atProvider(url: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = url;
  for (let hops = 0; hops < hopsMax; hops++) {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(next, { headers: { cookie }, redirect: "manual" });
    for (const text of response.headers.getSetCookie()) {
      const [pair = ""] = text.split(";");
      const at = pair.indexOf("=");
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`${next}: ${response.status} ${await response.text()}`);
    const target = new URL(location, next);
    if (target.pathname.startsWith("/api/oauth/")) return target;
    next = target.href;
  }
  throw new Error(`${url} redirects without end`);
}

/** Asks for a state as a console does, and brings back what the provider gives for it. */
export async function fetchCallback(
  browser: Browser,
  provider: string,
  query = "",
): Promise<string> {
  const path = `/api/oauth/state?provider=${provider}${query}`;
  const answer = (await browser.call("GET", path)) as { success: boolean; authorize_url?: string };
  if (!answer.success) throw new Error(JSON.stringify(answer));
  const { pathname, search } = await atProvider(answer.authorize_url ?? "");
  return pathname + search;
}

/** The whole way by links alone, as a person goes it. */
export async function visit(browser: Browser, provider: string, query = ""): Promise<Response> {
  const path = `/api/oauth/${provider}/authorize${query}`;
  const away = await browser.send("GET", path, undefined, navigation);
  const { pathname, search } = await atProvider(away.headers.get("location") ?? "");
  return await browser.send("GET", pathname + search, undefined, fromProvider);
}
