// A browser as far as sessions go: it keeps cookies and says which page a request comes from.
import type { Envelope } from "./gateway.ts";

export interface BrowserOptions {
  /** The origin of the page that is open; the gateway's own unless another is said. */
  origin?: string;
  /** Headers that a proxy in between would add. */
  headers?: Record<string, string>;
}

/** An envelope with what refusals have besides. */
export interface Answered extends Envelope {
  code?: string;
  param?: string | null;
}

export const password = "correct horse battery";

export class Browser {
  readonly #url: string;
  readonly #origin: string;
  readonly #headers: Record<string, string>;
  readonly cookies = new Map<string, string>();

  constructor(url: string, { origin = url, headers = {} }: BrowserOptions = {}) {
    this.#url = url;
    this.#origin = origin;
    this.#headers = headers;
  }

  /** A request of a page of its own, as a console sends it. A header that is empty is left out. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const sent: Record<string, string> = {
      ...this.#headers,
      cookie: Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join("; "),
      "content-type": "application/json",
      "sec-fetch-site": "same-origin",
      ...(method !== "GET" && { origin: this.#origin }),
      ...headers,
    };
    const response = await fetch(this.#url + path, {
      method,
      // The target of a redirect is for the test to look at.
      redirect: "manual",
      headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== "")),
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    return response;
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const response = await this.send(method, path, body, headers);
    const type = response.headers.get("content-type") ?? "";
    if (type.startsWith("application/json")) return (await response.json()) as Answered;
    if (type.startsWith("text/csv")) {
      return { success: true, message: "", data: await response.text() } as Answered;
    }
    // A file, or events that never end.
    await response.body?.cancel();
    return { success: response.ok, message: "", data: null };
  }

  /** A call that must succeed. */
  async ask<Data = unknown>(method: string, path: string, body?: unknown): Promise<Data> {
    const answer = await this.call(method, path, body);
    if (!answer.success) throw new Error(`${method} ${path}: ${answer.message}`);
    return answer.data as Data;
  }

  /** Signs in; throws when that is refused. */
  async signIn(username: string, secret: string = password): Promise<this> {
    await this.ask("POST", "/api/user/login", { username, password: secret });
    return this;
  }

  /** True while it is signed in. */
  async isSignedIn(): Promise<boolean> {
    return (await this.call("GET", "/api/user/self")).success;
  }

  #keep(cookie: string): void {
    const [pair = "", ...attributes] = cookie.split("; ");
    const [name = "", value = ""] = pair.split("=");
    if (attributes.includes("Max-Age=0")) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/**
 * Until each node has told one of many tries at once to wait, which it has when there are more such
 * answers than the others could give. Those that are judged take longer than that.
 */
export async function untilSlowed(
  tries: readonly Promise<Answered>[],
  nodes: number,
): Promise<void> {
  let left = Math.floor(tries.length - tries.length / nodes) + 1;
  await new Promise<void>((resolve, reject) => {
    const slowed = tries.map(async (answer) => {
      if ((await answer).code === "rate_limit_exceeded" && --left === 0) resolve();
    });
    Promise.all(slowed).then(() => reject(new Error(`${left} more are not slowed`)), reject);
  });
}
