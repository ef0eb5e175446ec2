import { describe, expect, test } from "bun:test";
import { readDestination } from "./destination.ts";

describe("a URL", () => {
  test.each([
    ["http://a.test", { hostname: "a.test", port: 80, host: "a.test", path: "/" }],
    ["http://a.test:8080/b?c=d e#f", { port: 8080, host: "a.test:8080", path: "/b?c=d%20e" }],
    ["https://A.test/", { hostname: "a.test", port: 443, serverName: "a.test" }],
    ["https://a.test:443/x", { port: 443, host: "a.test", path: "/x" }],
    ["https://127.0.0.1:8443/", { hostname: "127.0.0.1", port: 8443, serverName: null }],
    ["https://0x7f.1/", { hostname: "127.0.0.1", host: "127.0.0.1", serverName: null }],
    ["https://[::1]:8443/", { hostname: "::1", host: "[::1]:8443", serverName: null }],
    ["https://1a.test/", { hostname: "1a.test", serverName: "1a.test" }],
    ["http://b\u00fccher.test/\u00e4", { host: "xn--bcher-kva.test", path: "/%C3%A4" }],
  ])("%s leads somewhere", (url, place) => {
    expect(readDestination(url)).toMatchObject(place);
    expect(readDestination(url)).toBe(readDestination(url));
  });

  test.each([
    "",
    "a.test/b",
    "ftp://a.test/",
    "file:///etc/hosts",
    "http://",
    "http://[::1/",
    "http://a b/",
    "http://a.test:99999/",
    "http://name@a.test/",
    "http://name:word@a.test/",
    "http://:word@a.test/",
  ])("%p leads nowhere, and that is not repeated", (url) => {
    expect(() => readDestination(url)).toThrow(/^InvalidURL$/);
    expect(() => readDestination(url, "a.test")).toThrow(/^InvalidURL$/);
  });

  test("cannot end a line, whatever stands in it", () => {
    const { path, host } = readDestination("http://a.test/b\r\nx: y\0?c=\r\nd\u20ac\u0085");
    expect(path + host).toMatch(/^[\x21-\x7e]+$/);
  });
});

describe("a connection", () => {
  test.each([
    [true, "http://a.test/", "http://a.test:80/b?c"],
    [false, "http://a.test/", "https://a.test/"],
    [false, "http://a.test/", "http://a.test:81/"],
    [false, "http://a.test/", "http://b.test/"],
    [false, "https://a.test:80/", "http://a.test/"],
  ])("is shared (%p) by %s and %s", (isShared, one, other) => {
    expect(readDestination(one).key === readDestination(other).key).toBe(isShared);
  });

  test("is shared by nobody who asks for another name", () => {
    const [plain, named] = [readDestination("https://127.0.0.1/"), "https://127.0.0.1/"];
    expect(readDestination(named, "a.test")).toMatchObject({ serverName: "a.test" });
    expect(readDestination(named, "a.test").key).not.toBe(plain.key);
    expect(readDestination(named)).toBe(plain);
  });
});
