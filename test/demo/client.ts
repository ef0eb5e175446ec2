// The demo's ways into its gateway: the control plane as root, sessions, and requests of keys.
import { Browser } from "../harness/browser.ts";
import type { Envelope } from "../harness/gateway.ts";
import { demoPassword } from "./company.ts";
import type { Act } from "./plan.ts";
import { isTask } from "./work.ts";

const lookMs = 10;
const looksMax = 300;

export class Client {
  readonly url: string;
  readonly #token: string;
  readonly #keys = new Map<string, string>();
  readonly #sessions = new Map<string, Browser>();
  readonly #people = new Map<string, Client>();

  constructor(url: string, token: string) {
    this.url = url;
    this.#token = token;
  }

  async control<Data = unknown>(method: string, path: string, body?: object): Promise<Data> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const envelope = (await response.json()) as Envelope;
    if (!envelope.success) throw new Error(`${method} ${path}: ${envelope.message}`);
    return envelope.data as Data;
  }

  /** Somebody who is signed in to the console. */
  async session(username: string): Promise<Browser> {
    const known = this.#sessions.get(username);
    if (known && (await known.isSignedIn())) return known;
    const browser = await new Browser(this.url).signIn(username, demoPassword);
    this.#sessions.set(username, browser);
    return browser;
  }

  /** Somebody by an access token of its own. */
  person(username: string): Client {
    const person = this.#people.get(username);
    if (!person) throw new Error(`${username} has no access token`);
    return person;
  }

  async hire(username: string, id: string): Promise<Client> {
    const path = `/api/user/${id}/token`;
    const { token } = await this.control<{ token: string }>("POST", path, { name: "my settings" });
    const person = new Client(this.url, token);
    this.#people.set(username, person);
    return person;
  }

  async makeKey(account: string, fields: { name: string }): Promise<void> {
    const made = await this.control<{ key: string }>("POST", "/api/token", { account, ...fields });
    this.keep(account, fields.name, made.key);
  }

  keep(account: string, keyName: string, key: string): void {
    this.#keys.set(`${account} ${keyName}`, key);
  }

  /** The same people at another address of the same data. */
  at(url: string): Client {
    const other = new Client(url, this.#token);
    for (const [name, key] of this.#keys) other.#keys.set(name, key);
    return other;
  }

  /** The id of the task that it made, where it made one. */
  async ask({ account, keyName, ask, isLeaving }: Act): Promise<string | null> {
    const key = this.#keys.get(`${account} ${keyName}`) ?? "";
    const response = await fetch(this.url + ask.path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "user-agent": ask.agent,
        ...(ask.label !== undefined && { "x-sluice-label": ask.label }),
      },
      body: JSON.stringify(ask.body),
    });
    if (isLeaving && response.body) {
      await leave(response.body);
      await this.#isOnRecord(response.headers.get("x-request-id") ?? "");
      return null;
    }
    const text = await response.text();
    if (!response.ok || !isTask(ask.path)) return null;
    return (JSON.parse(text) as { id: string }).id;
  }

  /** Waits for the end of what its client has left: the clock must not move before. */
  async #isOnRecord(id: string): Promise<void> {
    for (let count = 0; count < looksMax; count++) {
      const found = await this.control("GET", `/api/log/${id}`).catch(() => null);
      if (found !== null) return;
      await Bun.sleep(lookMs);
    }
  }
}

async function leave(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  await reader.read();
  await reader.cancel();
}
