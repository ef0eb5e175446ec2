// Acts of a person with an authenticator app or a passkey at a gateway.
import { codeAt } from "../../../src/identity/access/totp.ts";
import { Authenticator, type CreationOptions, type RequestOptions } from "./authenticator.ts";
import type { Answered, Browser } from "../browser.ts";
import { password } from "../browser.ts";

export const ownPath = "/api/user/self/second-factor";
const stepMs = 30_000;

/** An app: each code it shows is of a step that no code was asked for before. */
export class App {
  readonly #secret: Uint8Array;
  #lastStep = 0;

  constructor(base32: string) {
    this.#secret = fromBase32(base32);
  }

  /** The next code that is good, of now or of soon: two in half a minute, setting up included. */
  next(): string {
    const now = Math.floor(Date.now() / stepMs);
    this.#lastStep = Math.max(now, this.#lastStep + 1);
    if (this.#lastStep > now + 1) throw new Error("no code is left for this half minute");
    return codeAt(this.#secret, this.#lastStep);
  }

  /** The code of some other moment. */
  at(stepsFromNow: number): string {
    return codeAt(this.#secret, Math.floor(Date.now() / stepMs) + stepsFromNow);
  }

  /** One that is wrong at any moment around now. */
  wrong(): string {
    const good = [-2, -1, 0, 1, 2, 3].map((off) => this.at(off));
    const all = Array.from({ length: 10 }, (_, at) => String(at).repeat(6));
    return all.find((code) => !good.includes(code)) ?? "";
  }
}

export interface Enrolled {
  app: App;
  recovery: string[];
}

/** Sets an app up for whoever is signed in there. */
export async function enrolApp(at: Browser, secret: string = password): Promise<Enrolled> {
  const begun = await at.ask<{ secret: string }>("POST", `${ownPath}/totp`, { password: secret });
  const app = new App(begun.secret);
  const { recovery_codes: recovery } = await at.ask<{ recovery_codes: string[] }>(
    "POST",
    `${ownPath}/totp/confirm`,
    { code: app.next() },
  );
  return { app, recovery };
}

export interface Asked<Options> {
  ticket: string;
  passkey: Options;
}

/** Sets a passkey up; `proof` is what the account has to show for it. */
export async function enrolPasskey(
  at: Browser,
  origin: string,
  proof: object = { password },
): Promise<{ device: Authenticator; id: string; recovery: string[] | null }> {
  const device = new Authenticator(origin);
  const options = `${ownPath}/passkey/options`;
  const { ticket, passkey } = await at.ask<Asked<CreationOptions>>("POST", options, proof);
  const body = { ticket, name: "laptop", passkey: device.create(passkey) };
  const made = await at.ask<{ id: string; recovery_codes: string[] | null }>(
    "POST",
    `${ownPath}/passkey`,
    body,
  );
  return { device, id: made.id, recovery: made.recovery_codes };
}

/** The first half of signing in; throws when it was the whole. */
export async function firstHalf(at: Browser, username: string, secret: string = password) {
  const body = { username, password: secret };
  const data = await at.ask<{ second_factor: string[]; ticket: string }>(
    "POST",
    "/api/user/login",
    body,
  );
  if (data.ticket === undefined) throw new Error("no second factor was asked for");
  return data;
}

export function secondHalf(at: Browser, body: object): Promise<Answered> {
  return at.call("POST", "/api/user/login/second", body);
}

/** Challenge for a passkey that answers a ticket, or signs in by itself. */
export async function askPasskey(at: Browser, ticket?: string): Promise<Asked<RequestOptions>> {
  return await at.ask("POST", "/api/user/login/passkey", ticket === undefined ? {} : { ticket });
}

function fromBase32(text: string): Uint8Array {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...text]
    .map((sign) => alphabet.indexOf(sign).toString(2).padStart(5, "0"))
    .join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}
