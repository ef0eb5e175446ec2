// Takes out of a vendor's words what they must not tell: a channel's credentials, and to clients
// also where the vendor is and whose account is used there. Operators read both, in the attempts of
// a request.
import { scrub } from "../core/log.ts";
import { credentialSecrets } from "../core/pass/credential.ts";
import { grantSecrets, type HeldGrants } from "../core/pass/pass.ts";

export type Conceal = (text: string) => string;

/** One text for each who reads it. */
export interface Wording {
  client: Conceal;
  operator: Conceal;
}

/** Upstream that was called, with its headers, its key and what was granted for that. */
interface Called {
  settings: { readonly baseUrl: string; readonly headers: Readonly<Record<string, string>> };
  key: { readonly text: string; readonly grants?: HeldGrants };
}

const secretCharactersMin = 8;

/**
 * The key, the values of the channel's headers and the parts of both go by their texts, whatever
 * they look like, unless they may be words.
 */
export function concealer(called: Called): Conceal {
  return (text) => {
    const hidden = secretsOf(called).reduce((left, one) => left.replaceAll(one, "[secret]"), text);
    return scrub(hidden);
  };
}

/** The longest first: a part of one may stand in another. */
function secretsOf({ settings, key }: Called): string[] {
  const texts = [...Object.values(settings.headers), ...grantSecrets(key.grants)];
  const ofParts = credentialSecrets(key.text);
  // The other parts of an object are names, which operators need to read.
  if (ofParts.length === 0) texts.push(key.text);
  const parts = texts.flatMap((text) => [text, ...text.split(/[ :=;,]/)]);
  const secrets = [key.text, ...ofParts, ...parts];
  const long = secrets.filter((secret) => secret.length >= secretCharactersMin);
  return long.toSorted((a, b) => b.length - a.length);
}

/** `own` has the client's request, whose addresses stay; without it only the vendor's own go. */
export function teller(called: Called, own: (() => string) | null = null): Wording {
  const operator = concealer(called);
  return {
    operator,
    client: (text) => {
      const sent = own && remembered(own);
      const unnamed = withoutAccounts(operator(text), sent);
      return withoutAddresses(unnamed, called.settings.baseUrl, sent);
    },
  };
}

function remembered(read: () => string): () => string {
  let text: string | null = null;
  return () => (text ??= read());
}

/** Names of the operator's account, and of what it has, at the clouds and the vendors. */
const accountNames: readonly (readonly [name: RegExp, shown: string])[] = [
  [/\barn:[\w-]{1,20}:[\w-]{0,40}:[\w-]{0,40}:\d{0,12}:[^\s"'`<>(),;]+/g, "[resource]"],
  [/\/subscriptions\/[^\s"'`<>(),;]+/gi, "[resource]"],
  [/(?<=\bprojects\/)[^\s"'`<>(),;/]+/g, "[account]"],
  // An account of AWS, and a project of Google by its number.
  [/(?<![\w.-])(?:\d{12}|\d{4}-\d{4}-\d{4})(?![\w-]|\.\d)/g, "[account]"],
  [/\b(?:org|proj|acct)[-_](?=[a-z_-]{0,40}\d)[\w-]{8,}/gi, "[account]"],
];

/** Names that the client has sent stay. */
function withoutAccounts(text: string, own: (() => string) | null): string {
  return accountNames.reduce(
    (shown, [name, placeholderOf]) =>
      shown.replace(name, (match) => {
        const accountName = match.replace(endOfSentence, "");
        if (own?.().includes(accountName)) return match;
        return placeholderOf + match.slice(accountName.length);
      }),
    text,
  );
}

const placeholder = "[address]";
const addresses = /(?<![\w+.-])[a-z][a-z\d+.-]{0,19}:\/\/[^\s"'`<>(){}\\]+/gi;
/** With dots in it, or with a port behind it, and whatever path follows. */
const hosts =
  /(?<![\w./-])(?:[\w-]+(?:\.[\w-]+)+(?::\d{1,5})?|[\w-]+:\d{2,5})(?:\/[^\s"'`<>()]*)?/g;
/** Punctuation that ends a sentence is no part of the address in it. */
const endOfSentence = /[.,;:!?]+$/;

function withoutAddresses(text: string, baseUrl: string, own: (() => string) | null): string {
  const vendor = domainOf(URL.parse(baseUrl)?.hostname ?? "");
  const isOwn = (address: string) => own?.().includes(address) === true;
  const isForeign = (host: string) => host !== vendor && !host.endsWith(`.${vendor}`);
  const hide = (match: string, isKept: (host: string) => boolean): string => {
    const address = match.replace(endOfSentence, "");
    if (isKept(hostOf(address)) || isOwn(address)) return match;
    return placeholder + match.slice(address.length);
  };
  const isOpen = (host: string) => own === null && isForeign(host) && !isInner(host);
  return text
    .replace(addresses, (match) => hide(match, isOpen))
    .replace(hosts, (match) => hide(match, (host) => isForeign(host) && !isIp(host)));
}

/** Without scheme, credentials, port and path. */
function hostOf(address: string): string {
  const place = address.replace(/^[^/]*:\/\//, "").replace(/[/?#].*$/s, "");
  return place.replace(/^.*@/, "").replace(/:\d+$/, "").toLowerCase();
}

/** A vendor has its pages and its API under one domain. */
function domainOf(host: string): string {
  const labels = host.toLowerCase().split(".");
  if (labels.length < 3 || isIp(host)) return host.toLowerCase();
  const isCountry = (labels.at(-1)?.length ?? 0) === 2 && (labels.at(-2)?.length ?? 0) <= 3;
  return labels.slice(isCountry && labels.length > 3 ? -3 : -2).join(".");
}

function isIp(host: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);
}

/** Behind the vendor's door: nobody outside has such a name. */
function isInner(host: string): boolean {
  return isIp(host) || !host.includes(".") || /\.(?:internal|local|svc|lan)$/.test(host);
}
