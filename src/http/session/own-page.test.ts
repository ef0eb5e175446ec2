import { describe, expect, test } from "bun:test";
import type { OriginRules } from "./origin.ts";
import { assertNoOtherPage, assertOwnLink, assertOwnPage } from "./own-page.ts";

const rules: OriginRules = { publicUrl: "https://gate.example", trustProxy: false };
const json = { "content-type": "application/json" };
const asked = { "x-requested-with": "console" };
const own = { origin: "https://gate.example" };
const sameOrigin = { "sec-fetch-site": "same-origin" };

type Sent = Record<string, string>;

function passes(judge: typeof assertOwnPage, headers: Sent): boolean {
  try {
    judge(new Headers({ host: "gate.example", ...headers }), rules);
  } catch {
    return false;
  }
  return true;
}

const foreign: readonly Sent[] = [
  { "sec-fetch-site": "cross-site", ...own, ...json },
  { "sec-fetch-site": "same-site", ...own, ...json },
  { "sec-fetch-site": "none", ...json },
  { ...sameOrigin, origin: "https://evil.example", ...json },
  { origin: "https://evil.example", ...json, ...asked },
  { origin: "https://gate.example.evil.example", ...json },
  { origin: "http://gate.example", ...json },
  { origin: "null", ...json },
  { ...sameOrigin, ...own },
  { ...sameOrigin, ...own, "content-type": "text/plain" },
  { ...sameOrigin, ...own, "content-type": "application/x-www-form-urlencoded" },
  { ...sameOrigin, ...own, "content-type": "multipart/form-data; boundary=application/json" },
  { ...sameOrigin, ...own, "content-type": "text/plain; application/json" },
  { ...sameOrigin, ...own, "content-type": "application/json, text/plain" },
];
const ours: readonly Sent[] = [
  { ...sameOrigin, ...own, ...json },
  { ...sameOrigin, ...json },
  { ...sameOrigin, ...own, ...asked },
  { ...own, ...json },
  { "sec-fetch-site": "none", ...own, ...json },
  { ...own, "content-type": "application/json; charset=utf-8" },
];
const unsaid: readonly Sent[] = [json, asked, { referer: "https://gate.example/", ...json }];

describe("hazard F14 a change by cookie", () => {
  test.each(ours)("is taken from a page of our own %j", (headers) => {
    expect(passes(assertOwnPage, headers)).toBe(true);
  });

  test.each([...foreign, ...unsaid])("is refused otherwise %j", (headers) => {
    expect(passes(assertOwnPage, headers)).toBe(false);
  });
});

describe("hazard F2 signing in", () => {
  test.each([...ours, ...unsaid])("is possible from our pages and from programs %j", (headers) => {
    expect(passes(assertNoOtherPage, headers)).toBe(true);
  });

  test.each(foreign)("is refused from another's page %j", (headers) => {
    expect(passes(assertNoOtherPage, headers)).toBe(false);
  });
});

describe("hazard F2 a link that begins to sign in", () => {
  const stranger = (headers: Headers, of: OriginRules) => assertOwnLink(headers, of, false);
  const signedIn = (headers: Headers, of: OriginRules) => assertOwnLink(headers, of, true);
  const others: readonly Sent[] = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { ...sameOrigin, origin: "https://evil.example" },
    { origin: "https://evil.example", ...json, ...asked },
    { origin: "null" },
  ];

  test.each([sameOrigin, { "sec-fetch-site": "none" }, {}, json])(
    "is one of our pages, typed, or a program's %j",
    (headers) => {
      expect(passes(stranger, headers)).toBe(true);
    },
  );

  test.each(others)("is never on another's page %j", (headers) => {
    expect(passes(stranger, headers)).toBe(false);
    expect(passes(signedIn, headers)).toBe(false);
  });

  test.each([sameOrigin, json, asked])("begins to link from our own pages %j", (headers) => {
    expect(passes(signedIn, headers)).toBe(true);
  });

  test.each([{}, { "sec-fetch-site": "none" }, { "sec-fetch-site": "none", ...json }])(
    "does not begin to link where nobody says that it does %j",
    (headers) => {
      expect(passes(signedIn, headers)).toBe(false);
    },
  );
});
