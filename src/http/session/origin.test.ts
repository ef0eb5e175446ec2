import { describe, expect, test } from "bun:test";
import { isOwnOrigin, transportOf, type OriginRules } from "./origin.ts";

const bare: OriginRules = { publicUrl: null, trustProxy: false };
const behindProxy: OriginRules = { publicUrl: null, trustProxy: true };
const secure: OriginRules = { publicUrl: "https://gate.example/prefix", trustProxy: false };
const plain: OriginRules = { publicUrl: "http://10.0.0.5:3000", trustProxy: false };

describe("hazard F11 the transport", () => {
  test.each<[string, OriginRules, Record<string, string>, string]>([
    ["the public address's", secure, { host: "127.0.0.1:3000" }, "secure"],
    ["the public address's", plain, { host: "10.0.0.5:3000" }, "plain"],
    ["plain on this machine", bare, { host: "127.0.0.1:3000" }, "plain"],
    ["plain on this machine", bare, { host: "LOCALHOST:3000" }, "plain"],
    ["plain on this machine", bare, { host: "[::1]:3000" }, "plain"],
    ["plain on this machine", behindProxy, { host: "localhost" }, "plain"],
    ["not known from elsewhere", bare, { host: "10.0.0.5:3000" }, "unknown"],
    ["not known from elsewhere", bare, { host: "localhost.evil.example" }, "unknown"],
    ["not known from elsewhere", behindProxy, { host: "gate.example" }, "unknown"],
    ["not known without a host", bare, {}, "unknown"],
    [
      "secure by the word of a trusted proxy",
      behindProxy,
      { host: "127.0.0.1:3000", "x-forwarded-proto": "https" },
      "secure",
    ],
    [
      "what the nearest proxy says",
      behindProxy,
      { host: "x", "x-forwarded-proto": "https, http" },
      "unknown",
    ],
    [
      "not known by the word of anyone",
      bare,
      { host: "127.0.0.1:3000", "x-forwarded-proto": "https" },
      "unknown",
    ],
    [
      "not known behind a proxy that hides the host",
      bare,
      { host: "127.0.0.1:3000", "x-forwarded-for": "203.0.113.9" },
      "unknown",
    ],
  ])("is %s", (_title, rules, headers, transport) => {
    expect(transportOf(new Headers(headers), rules)).toBe(transport as "plain");
  });
});

describe("hazard F14 the origin", () => {
  const own: [string, OriginRules, Record<string, string>][] = [
    ["https://gate.example", secure, { host: "gate.example" }],
    ["https://gate.example", secure, { host: "127.0.0.1:3000" }],
    ["http://127.0.0.1:3000", secure, { host: "127.0.0.1:3000" }],
    ["http://10.0.0.5:3000", plain, { host: "10.0.0.5:3000" }],
    ["http://localhost:3000", bare, { host: "localhost:3000" }],
    ["https://a.example", behindProxy, { host: "a.example", "x-forwarded-proto": "https" }],
  ];
  test.each(own)("%s is our own", (origin, rules, headers) => {
    expect(isOwnOrigin(origin, new Headers(headers), rules)).toBe(true);
  });

  const foreign: [string, OriginRules, Record<string, string>][] = [
    ["http://gate.example", secure, { host: "gate.example" }],
    ["https://gate.example.evil.example", secure, { host: "gate.example" }],
    ["https://sub.gate.example", secure, { host: "gate.example" }],
    ["https://gate.example:8443", secure, { host: "gate.example" }],
    ["null", secure, { host: "gate.example" }],
    ["", secure, { host: "" }],
    ["http://localhost:3001", bare, { host: "localhost:3000" }],
    ["http://127.0.0.1:3000", bare, { host: "localhost:3000" }],
    ["http://evil.example", bare, { host: "localhost:3000" }],
    ["http://a.example", behindProxy, { host: "a.example", "x-forwarded-proto": "https" }],
  ];
  test.each(foreign)("%p is not", (origin, rules, headers) => {
    expect(isOwnOrigin(origin, new Headers(headers), rules)).toBe(false);
  });
});
