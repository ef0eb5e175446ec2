import { expect, test } from "bun:test";
import { relyingPartyOf } from "./relying-party.ts";

const at = (host: string, publicUrl: string | null = null) =>
  relyingPartyOf(new Headers({ host }), { publicUrl, trustProxy: false });

test("passkeys belong to the public address, whatever host was asked for", () => {
  const party = { id: "gate.example", origin: "https://gate.example:8443" };
  expect(at("evil.example", "https://gate.example:8443/below")).toEqual(party);
  expect(at("localhost:3000", "https://gate.example:8443")).toEqual(party);
});

test("without a public address they work on the machine itself, and by name only", () => {
  expect(at("localhost:3000")).toEqual({ id: "localhost", origin: "http://localhost:3000" });
  for (const host of ["127.0.0.1:3000", "[::1]:3000", "gate.example", "", "a b"]) {
    expect(at(host)).toBeNull();
  }
  expect(at("localhost", "http://192.0.2.1")).toBeNull();
  expect(at("localhost", "http://[2001:db8::1]")).toBeNull();
});
