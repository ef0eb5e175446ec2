import { expect, test } from "bun:test";
import { localhostAddress } from "./localhost.ts";

test.each([
  ["http://127.0.0.1:3000/console/start", "http://localhost:3000/console/start"],
  ["http://[::1]:8080/console/start?step=1", "http://localhost:8080/console/start?step=1"],
  ["http://localhost:3000/console/start", null],
  ["http://192.0.2.7:3000/console/start", null],
  ["http://127.0.0.1.example/console/start", null],
  ["https://127.0.0.1/console/start", null],
])("%s is, at localhost, %p", (href, address) => {
  expect(localhostAddress(href)).toBe(address);
});
