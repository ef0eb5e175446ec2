import { describe, expect, test } from "bun:test";
import { readCookie, readSessionCookie, writeCookie, writeSessionCookie } from "./cookie.ts";
import type { OriginRules } from "./origin.ts";

const plain: OriginRules = { publicUrl: null, trustProxy: false };
const secure: OriginRules = { publicUrl: "https://gate.example", trustProxy: false };
const local = { host: "127.0.0.1:3000" };

function read(cookie: string, rules: OriginRules = plain): string | null {
  return readSessionCookie(new Headers({ ...local, cookie }), rules);
}

describe("hazard F11 the cookie that is set", () => {
  const session = { secret: "sst-1", maxAgeMs: 90_500 };

  test("has every flag over https", () => {
    expect(writeSessionCookie(new Headers(local), secure, session)).toBe(
      "__Host-sluice-session=sst-1; Path=/; Max-Age=90; HttpOnly; SameSite=Lax; Secure",
    );
  });

  test("goes without Secure and its prefix on this machine", () => {
    expect(writeSessionCookie(new Headers(local), plain, session)).toBe(
      "sluice-session=sst-1; Path=/; Max-Age=90; HttpOnly; SameSite=Lax",
    );
  });

  test("is none where the way is not known", () => {
    const headers = new Headers({ host: "gate.example" });
    expect(writeSessionCookie(headers, plain, session)).toBeNull();
  });

  test("is taken away by an empty one that is over at once", () => {
    const text = writeSessionCookie(new Headers(local), plain, { ...session, secret: "" });
    expect(text).toStartWith("sluice-session=; Path=/; Max-Age=0; ");
  });
});

describe("hazard F19 the cookie that is read", () => {
  test("is ours among others", () => {
    expect(read("a=b; sluice-session=sst-1; c=d")).toBe("sst-1");
    expect(read("a=b;sluice-session=sst-1")).toBe("sst-1");
    expect(read("__Host-sluice-session=sst-1", secure)).toBe("sst-1");
  });

  test("is none where there is none, or one of another name", () => {
    const others = ["", "a=b", "sluice-session", "x-sluice-session=1", "Sluice-Session=1"];
    for (const cookie of others) expect(read(cookie)).toBeNull();
    expect(readSessionCookie(new Headers(local), plain)).toBeNull();
  });

  test("has the prefix over https, where one without it may be planted", () => {
    expect(read("sluice-session=sst-1", secure)).toBeNull();
    expect(read("__Host-sluice-session=sst-1")).toBeNull();
  });

  test("is none where there are two, of which one is planted", () => {
    expect(read("sluice-session=sst-1; sluice-session=sst-2")).toBeNull();
    expect(read("sluice-session=sst-1; sluice-session=sst-1")).toBeNull();
  });
});

test("hazard F1 F11 the cookie of a sign-in under way has the same flags and is another one", () => {
  const text = { secret: "bound", maxAgeMs: 600_000 };
  expect(writeCookie(new Headers(local), secure, "sluice-oauth", text)).toBe(
    "__Host-sluice-oauth=bound; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure",
  );
  const headers = new Headers({ ...local, cookie: "sluice-session=a; sluice-oauth=b" });
  expect(readCookie(headers, plain, "sluice-oauth")).toBe("b");
  expect(readCookie(headers, plain, "sluice-session")).toBe("a");
});
