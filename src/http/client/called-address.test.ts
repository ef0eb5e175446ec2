import { expect, test } from "bun:test";
import { calledAddress } from "./called-address.ts";

const direct = { host: "ai.example:3000" };
const proxied = { ...direct, "x-forwarded-for": "10.0.0.1" };
const secure = { ...proxied, "x-forwarded-proto": "https" };

test.each([
  ["called directly it is the client's own word", direct, false, "http://ai.example:3000"],
  ["behind an unknown proxy it is not known", secure, false, null],
  ["behind a trusted proxy that says nothing it is not known", proxied, true, null],
  ["behind a trusted proxy it is what that says", secure, true, "https://ai.example:3000"],
  ["another protocol is none", { ...secure, "x-forwarded-proto": "ftp" }, true, null],
] as const)("the address that a client called: %s", (_title, headers, trustProxy, address) => {
  expect(calledAddress(new Headers(headers), { trustProxy })).toBe(address);
});
