// Rules of one entity across its fields, on top of its schema. The checkers here are what a reader
// of declared things uses: the configuration file and the control API alike.
import { proxyFault, type ChannelAuthor } from "../core/pass/credential-rules.ts";
import { credentialParts } from "../core/pass/credential.ts";
import { compile, type Checker, type SchemaFault } from "../core/schema.ts";
import { judgeUrl } from "../core/url-guard.ts";
import { isZone, overlap, weekSpansOf } from "../core/week/week-windows.ts";
import { budgetFaults, BudgetFields, BudgetInput } from "./budget.ts";
import { cloudKeyFault, isCloud, projectFault, vendorFaults } from "./cloud/rules.ts";
import {
  ApiKeyInput,
  ChannelInput,
  GroupInput,
  hiddenValue,
  KeyInput,
  PriceInput,
  pairedTypes,
} from "./entities.ts";
import { privateAddressMessage } from "./fields.ts";
import type { PriceWindow } from "./price-parts.ts";

/** For a channel in a form or a call; operators other than root are judged once more. */
export const channelChecker = withRules(compile(ChannelInput), (channel) =>
  channelFaults(channel, "root"),
);
export const declaredChannelChecker = withRules(compile(ChannelInput), (channel) =>
  channelFaults(channel, "config"),
);
export const keyChecker = withRules(compile(KeyInput), keyFaults);
export const apiKeyChecker = withRules(compile(ApiKeyInput), keyFaults);
export const priceChecker = withRules(compile(PriceInput), priceFaults);
export const groupChecker = compile(GroupInput);
export const budgetChecker = withRules(compile(BudgetFields), budgetFaults);
export const declaredBudgetChecker = withRules(compile(BudgetInput), budgetFaults);

function withRules<Value>(
  checker: Checker<Value>,
  rules: (value: Value) => SchemaFault[],
): Checker<Value> {
  return {
    schema: checker.schema,
    is: (value): value is Value => checker.is(value) && rules(value).length === 0,
    faults: (value) => (checker.is(value) ? rules(value) : checker.faults(value)),
  };
}

function channelFaults(channel: ChannelInput, author: ChannelAuthor): SchemaFault[] {
  const faults: SchemaFault[] = [];
  if (channel.key === undefined && channel.keys === undefined) {
    faults.push({ path: "key", message: "is required, or keys" });
  }
  if (channel.key !== undefined && channel.keys !== undefined) {
    faults.push({ path: "keys", message: "must not stand beside key" });
  }
  if (channel.allow_private !== true && judgeUrl(channel.base_url) === "private") {
    faults.push({ path: "base_url", message: privateAddressMessage(channel.base_url) });
  }
  const [part] = /\{[^{}]*\}/.exec(channel.base_url) ?? [];
  if (part !== undefined) {
    faults.push({ path: "base_url", message: `has ${part} in it, for you to fill in` });
  }
  const ofProxy = proxyFault(channel);
  if (ofProxy !== null) faults.push({ path: ofProxy.path, message: ofProxy.message });
  if (channel.http2 === true && channel.proxy !== undefined) {
    faults.push({ path: "http2", message: "must not stand beside proxy" });
  }
  if (channel.http2 === true && !channel.base_url.startsWith("https:")) {
    faults.push({ path: "http2", message: "needs a base_url of https" });
  }
  faults.push(...credentialFaults(channel, author), ...vendorFaults(channel));
  faults.push(...costFaults(channel), ...headerFaults(channel.headers ?? {}));
  return faults;
}

/**
 * With only one of the two, half of what a model takes would count as nothing. Pictures and films
 * may have no tokens.
 */
function costFaults({ cost }: ChannelInput): SchemaFault[] {
  return (cost?.prices ?? []).flatMap((price, at) => {
    const isOfMedia = mediaAmountNames.some((name) => price[name] !== undefined);
    const isOfTokens = Object.keys(price).some((name) => name.endsWith("_per_million"));
    if (isOfMedia && !isOfTokens) return [];
    return textAmountsNeeded
      .filter((name) => price[name] === undefined)
      .map((name) => ({ path: `cost.prices.${at}.${name}`, message: "is required" }));
  });
}

function headerFaults(headers: NonNullable<ChannelInput["headers"]>): SchemaFault[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const path = `headers.${name}`;
    if (isOwnHeader(name)) return [{ path, message: "is set by the gateway itself" }];
    if (value !== hiddenValue) return [];
    return [{ path, message: "stands for a hidden value, and there is none: name the value" }];
  });
}

function credentialFaults(channel: ChannelInput, author: ChannelAuthor): SchemaFault[] {
  const { key, keys } = channel;
  const texts = key === undefined ? Object.entries(keys ?? []) : [[null, key] as const];
  return texts.flatMap(([at, text]) => {
    const message = credentialFault(channel, text, author);
    if (message !== null) return [{ path: at === null ? "key" : `keys.${at}`, message }];
    const ofProject = projectFault(channel, text);
    return ofProject === null ? [] : [{ path: "vendor.project", message: ofProject }];
  });
}

function credentialFault(
  channel: ChannelInput,
  text: string,
  author: ChannelAuthor,
): string | null {
  if (isCloud(channel.type) && credentialParts(text)) return cloudKeyFault(channel, text, author);
  if (!/\s/.test(text)) return null;
  if (!pairedTypes.includes(channel.type)) return "must be visible ASCII characters without spaces";
  if (/^[^ ]+ [^ :]+:[^ ]+$/.test(text)) return null;
  return "must be a key, alone or with a space and a pair access:secret behind it";
}

/** Target, sender and framing of a request are not a matter of configuration. */
function isOwnHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return ownHeaders.has(lower) || /^(?:proxy|x-forwarded|x-sluice)-/.test(lower);
}

const ownHeaders = new Set(
  [
    "host authorization cookie forwarded expect",
    "content-length content-type content-encoding accept-encoding",
    "connection keep-alive transfer-encoding te trailer upgrade",
  ].flatMap((line) => line.split(" ")),
);

function keyFaults(key: ApiKeyInput): SchemaFault[] {
  if (key.unlimited === true && key.quota_micros !== undefined) {
    return [{ path: "quota_micros", message: "must not stand beside unlimited: true" }];
  }
  if (key.unlimited === false && key.quota_micros === undefined) {
    return [{ path: "quota_micros", message: "is required with unlimited: false" }];
  }
  return [];
}

const mediaAmountNames = ["image_micros", "second_micros", "call_micros"] as const;
const textAmountsNeeded = ["input_micros_per_million", "output_micros_per_million"] as const;
const textAmountNames = [
  ...textAmountsNeeded,
  "cache_read_micros_per_million",
  "cache_write_micros_per_million",
  "cache_write_1h_micros_per_million",
  "audio_input_micros_per_million",
  "audio_output_micros_per_million",
] as const;
const amountNames = [...textAmountNames, ...mediaAmountNames] as const;
const conditionNames = ["size", "quality", "resolution", "tier"] as const;

/** With only one of the two, whole prompts or whole answers would be free. */
function textFaults(price: PriceInput): SchemaFault[] {
  if (textAmountNames.every((name) => price[name] === undefined)) return [];
  return textAmountsNeeded
    .filter((name) => price[name] === undefined)
    .map((name) => ({ path: name, message: "is required in a price of tokens" }));
}

const windowAmountNames = [
  "input_micros_per_million",
  "output_micros_per_million",
  "cache_read_micros_per_million",
  "cache_write_micros_per_million",
] as const;

/** No moment is in two windows of a price, so that nobody has to know which comes first. */
function hourFaults({ hours = [], input_micros_per_million: input }: PriceInput): SchemaFault[] {
  const zone = hours[0]?.zone ?? "UTC";
  const faults = hours.flatMap((window, at) => windowFaults(window, zone, `hours.${at}`));
  if (hours.length > 0 && input === undefined) {
    faults.push({ path: "hours", message: "needs a price of tokens" });
  }
  if (faults.length > 0) return faults;
  const spans = hours.map(weekSpansOf);
  return spans.flatMap((own, at) => {
    const before = spans.slice(0, at).findIndex((earlier) => overlap(earlier, own));
    return before < 0 ? [] : [{ path: `hours.${at}`, message: `overlaps hours.${before}` }];
  });
}

function windowFaults(window: PriceWindow, zone: string, path: string): SchemaFault[] {
  const faults: SchemaFault[] = [];
  if (!isZone(window.zone ?? "UTC")) {
    faults.push({ path: `${path}.zone`, message: "must be a time zone, such as Asia/Shanghai" });
  } else if ((window.zone ?? "UTC") !== zone) {
    faults.push({ path: `${path}.zone`, message: "must be that of the first window" });
  }
  if (window.from === window.to || window.from === "24:00") {
    faults.push({ path: `${path}.to`, message: "must be another time than from, before 24:00" });
  }
  const isNamed = (name: keyof PriceWindow) => window[name] !== undefined;
  const named = ["input_percent", "output_percent", ...windowAmountNames] as const;
  if (!named.some(isNamed)) {
    faults.push({ path, message: `needs one of ${named.join(", ")}` });
  }
  return faults;
}

// A price that names no amount of its own would make a model free by accident wherever no rule
// applies; an explicit 0 says it is meant.
function priceFaults(price: PriceInput): SchemaFault[] {
  const rules = price.rules ?? [];
  const faults: SchemaFault[] = [...textFaults(price), ...hourFaults(price)];
  if (amountNames.every((name) => price[name] === undefined)) {
    faults.push({ path: "model", message: "has a price without an amount of its own" });
  }
  for (const [at, rule] of rules.entries()) {
    if (conditionNames.every((name) => rule[name] === undefined)) {
      faults.push({ path: `rules.${at}`, message: `needs one of ${conditionNames.join(", ")}` });
    } else if (mediaAmountNames.every((name) => rule[name] === undefined)) {
      faults.push({ path: `rules.${at}`, message: `needs one of ${mediaAmountNames.join(", ")}` });
    }
  }
  return faults;
}
