import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mayHoldSecret, scrub } from "./scrub.ts";

const keys = [
  "sk-0123456789abcdef",
  "sk-ant-api03-Abc_def-0123",
  "sat-0123456789abcdef",
  "sst-0123456789abcdef",
  "rk-0123456789abcdef",
  "pk-0123456789abcdef",
  "AIzaSyA0123456789_-abc",
];

const carriers = [
  "$",
  "Authorization: Bearer $",
  "authorization: bearer $",
  "x-api-key: $",
  "x-goog-api-key: $",
  "/v1beta/models/a:generateContent?key=$&alt=sse",
  "/v1beta/models/a?alt=sse&key=$",
  "wss://example.com/v1/realtime,$",
  '{"api_key":"$"}',
  "Incorrect API key provided: $. See the docs.",
  "($)",
  "a_$",
  "first line\n$",
  "a text in a text: \\n$",
  "a text in a text: \\u001b[31m$",
  "\u001b[31m$\u001b[0m",
  "%22$%22",
  "/a?b=1\\u0026key=$",
];

const parameters = [
  "?key=",
  "&key=",
  "&amp;key=",
  "\\u0026key=",
  "%3Fkey%3D",
  "?api_key=",
  "api-key=",
  "apikey=",
  "APIKEY=",
  "token=",
  "?access_token=",
  "access_token%3D",
  "refresh_token=",
  "client_secret=",
  "password=",
];

/** Every shape, its carriers and what stands between them, to be put together at random. */
const headers = ["Bearer ", "bearer%20", "basic ", "Basic dXNlcjpwYXNz", "hunter2"];
const addresses = ["://", "a:b@c:1", "@", ":", "/", "=", "&", "%", "%20", "[31m", "[secret]"];
const signs = [" ", '"', "\n", "\t", "\\n", "\\", "+", "m"];
const pieces = [...keys, ...parameters, ...headers, ...addresses, ...signs];
const mixture = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((some) => some.join(""));

describe("scrub", () => {
  test.each(carriers)("takes a key out of %s", (carrier) => {
    for (const key of keys) {
      const text = carrier.replace("$", key);
      expect(scrub(text)).not.toContain(key);
      expect(scrub(text)).not.toContain(key.slice(8));
      expect(scrub(text)).toContain("[secret]");
    }
  });

  test("takes out any bearer and any key parameter, whatever they look like", () => {
    expect(scrub("Bearer eyJhbGciOi.J9.x-_~+/=")).toBe("[secret]");
    expect(scrub("authorization: bearer 0123456789")).toBe("authorization: [secret]");
    expect(scrub("GET /a?key=hunter2&b=1")).toBe("GET /a?key=[secret]&b=1");
  });

  test.each(parameters)("takes out the value behind %s", (name) => {
    expect(scrub(`see ${name}hunter2&b=1 now`)).toBe(`see ${name}[secret]&b=1 now`);
  });

  test.each([
    ["Authorization: Basic dXNlcjpwYXNz", "Authorization: [secret]"],
    ["authorization: basic dXNlcjpwYXNzd29yZA==", "authorization: [secret]"],
    ["bearer%200123456789", "[secret]"],
    ["Bearer+0123456789", "[secret]"],
    ["a\\nBearer\t0123456789", "a\\n[secret]"],
  ])("takes out the credentials of %p", (text, left) => {
    expect(scrub(text)).toBe(left);
  });

  test.each([
    ["https://user:hunter2@example.com/a?b=1", "https://[secret]@example.com/a?b=1"],
    ["https://hunter2@example.com", "https://[secret]@example.com"],
    ["redis://:hunter2@cache:6379/0", "redis://[secret]@cache:6379/0"],
    ["postgres://user:hunter@2@db/sluice", "postgres://[secret]@db/sluice"],
    ["user:hunter2@tcp(db:3306)/sluice", "user:[secret]@tcp(db:3306)/sluice"],
    ["user:hun:ter2@db.example.com:5432", "user:[secret]@db.example.com:5432"],
    ["root:hunter2@localhost", "root:[secret]@localhost"],
  ])("takes name and password out of %s", (text, left) => {
    expect(scrub(text)).toBe(left);
  });

  test("takes out every key, not only the first", () => {
    expect(scrub(`${keys[0]} and ${keys[1]}`)).toBe("[secret] and [secret]");
  });

  test("is done after one pass", () => {
    fc.assert(
      fc.property(mixture, (text) => {
        const once = scrub(text);
        expect(scrub(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    "task-0123456789abcdef",
    "the bearer of news",
    "disk-usage",
    "?monkey=1",
    "risk-free",
    "a basic plan",
    "max_tokens=5",
    "monkey=1",
    "https://example.com:8080/@user",
    "mailto:someone@example.com",
    "vendor:model-3-5@20240620",
    "at 12:30 someone@example.com wrote",
  ])("leaves %s alone", (text) => {
    expect(scrub(text)).toBe(text);
  });
});

test("whatever is taken out of a text leaves a trace in its JSON", () => {
  fc.assert(
    fc.property(mixture, (text) => {
      if (scrub(text) !== text) expect(mayHoldSecret(JSON.stringify(text))).toBeTrue();
    }),
    { numRuns: 1000 },
  );
});

test("an ordinary line leaves none", () => {
  const line = { request: "req_01jx9f8a7b", path: "/v1/chat/completions", model: "gpt-5-mini" };
  expect(mayHoldSecret(JSON.stringify(line))).toBeFalse();
});
