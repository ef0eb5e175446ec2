// Contract of every kind of provider: it says where a browser is sent, and from what the browser
// brings back, who somebody is. A provider is reached through a port that guards and bounds calls.
import type { OAuthSettings } from "../../config/oauth.ts";

export interface AuthorizeAsk {
  state: string;
  redirectUri: string;
  /** PKCE's challenge, by S256. */
  codeChallenge: string;
  nonce: string;
}

/** Values that the browser came back with, beside those it was sent away with. */
export interface Returned {
  query: URLSearchParams;
  state: string;
  redirectUri: string;
  /** Null where the browser was sent away without a challenge: then no code of one is taken. */
  codeVerifier: string | null;
  /** Null where the browser was sent away without a nonce: then an id token must have none. */
  nonce: string | null;
}

export interface Person {
  /** Issuer of the subject: the same text of another issuer is another person. */
  issuer: string;
  /**
   * An id that never changes and is never given to another: neither a name nor an e-mail address.
   */
  subject: string;
  username: string;
  displayName: string;
  /** Groups of the person; null where the provider did not tell, absent where it is not asked. */
  groups?: readonly string[] | null;
}

export interface Provider {
  readonly name: string;
  readonly type: string;
  authorizeUrl(ask: AuthorizeAsk): Promise<string>;
  /** Throws when the provider does not vouch for anybody. */
  identify(returned: Returned): Promise<Person>;
}

export interface ProviderCall {
  url: string;
  method: "GET" | "POST";
  headers: Readonly<Record<string, string>>;
  body?: string;
}

export interface ProviderReply {
  status: number;
  headers: Headers;
  body: Uint8Array;
}

/** Follows no redirect; bounded in time and size; throws ProviderUnreachable. */
export type CallProvider = (call: ProviderCall) => Promise<ProviderReply>;

export type CreateProvider = (settings: OAuthSettings, call: CallProvider) => Provider;

/** A provider's statement that cannot be believed. For the log: nobody else reads why. */
export class ProviderFault extends Error {
  override readonly name = "ProviderFault";
}

export class ProviderUnreachable extends Error {
  override readonly name = "ProviderUnreachable";
}

const subjectCharactersMax = 255;
const nameCharactersMax = 100;

/** Facts of a person as a provider tells them. */
export type ToldFacts = Record<"subject" | "username" | "displayName", unknown>;

/** The facts about a person in bounds; throws without a subject. */
export function toPerson(issuer: string, facts: ToldFacts) {
  const { subject } = facts;
  if (typeof subject !== "string" || subject === "" || subject.length > subjectCharactersMax) {
    throw new ProviderFault("there is no subject");
  }
  const username = toName(facts.username);
  const displayName = toName(facts.displayName) || username;
  return { issuer, subject, username, displayName };
}

/** Control characters would only deceive whoever reads it. */
function toName(value: unknown): string {
  if (typeof value !== "string") return "";
  return value.replace(/\p{C}/gu, "").trim().slice(0, nameCharactersMax);
}

/** An id that is a number on the wire; one that was rounded might be another's. */
export function readNumericId(value: unknown): string | null {
  return Number.isSafeInteger(value) && Number(value) > 0 ? String(value) : null;
}
