import { expect, test } from "bun:test";
import { proxyFor } from "./proxy-rules.ts";

const [http, https] = ["http://plain.test:1", "http://secret.test:2"];

test("an address goes through the proxy of its protocol, and directly where there is none", () => {
  const rules = { http, https, exempt: [] };
  expect(proxyFor(rules, "http://vendor.test/v1")).toBe(http);
  expect(proxyFor(rules, "https://vendor.test/v1")).toBe(https);
  expect(proxyFor({ ...rules, https: null }, "https://vendor.test/v1")).toBeNull();
  expect(proxyFor(rules, "nonsense")).toBeNull();
});

test.each(["localhost:3000", "127.0.0.1", "127.9.9.9:80", "[::1]:80", "a.localhost"])(
  "%s is this machine, and reached directly",
  (host) => {
    expect(proxyFor({ http, https, exempt: [] }, `http://${host}/`)).toBeNull();
  },
);

test.each([
  ["*", "vendor.test", true],
  ["vendor.test", "vendor.test", true],
  ["Vendor.Test", "vendor.test", true],
  ["vendor.test", "api.vendor.test", true],
  [".vendor.test", "api.vendor.test", true],
  ["*.vendor.test", "api.vendor.test", true],
  ["vendor.test", "othervendor.test", false],
  ["api.vendor.test", "vendor.test", false],
  ["vendor.test:443", "vendor.test", true],
  ["vendor.test:8443", "vendor.test", false],
  ["vendor.test:8443", "vendor.test:8443", true],
  ["10.1.2.3", "10.1.2.3", true],
  ["10.0.0.0/8", "10.1.2.3", true],
  ["10.0.0.0/8", "11.1.2.3", false],
  ["fd00::/8", "[fd00::1]", true],
  ["", "vendor.test", false],
])("exempting %p leaves %s out: %p", (entry, host, isExempt) => {
  const proxy = proxyFor({ http, https, exempt: [entry] }, `https://${host}/v1`);
  expect(proxy).toBe(isExempt ? null : https);
});
