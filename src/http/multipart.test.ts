import { expect, test } from "bun:test";
import { GatewayError } from "../core/errors.ts";
import { isForm, readFormBody } from "./multipart.ts";

const bytesMax = 1024 * 1024;

function requestOf(fields: readonly (readonly [string, string | Blob])[]): Request {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  return new Request("http://gateway.test/", { method: "POST", body });
}

async function read(...fields: (readonly [string, string | Blob])[]) {
  return (await readFormBody(requestOf(fields), bytesMax)).value;
}

test("a form is told by its type", () => {
  const of = (type: string) => isForm(new Headers({ "content-type": type }));
  expect(of("multipart/form-data; boundary=x")).toBe(true);
  expect(of("Multipart/Form-Data ;boundary=x")).toBe(true);
  // One without its boundary cannot be read, but it is meant as a form and refused as one.
  expect(of("multipart/form-data")).toBe(true);
  expect(of("multipart/form-data-like")).toBe(false);
  expect(of("application/json")).toBe(false);
});

test("texts stay texts, and files become objects with their bytes", async () => {
  const file = new File(["fox"], "fox.png", { type: "image/png" });
  expect(await read(["seconds", "4"], ["prompt", "A fox"], ["input_reference", file])).toEqual({
    seconds: "4",
    prompt: "A fox",
    input_reference: { filename: "fox.png", type: "image/png", base64: btoa("fox") },
  });
});

test("a name that comes again, or ends in brackets, is a list", async () => {
  expect(await read(["a", "1"], ["a", "2"], ["a", "3"], ["b[]", "1"])).toEqual({
    a: ["1", "2", "3"],
    b: ["1"],
  });
  expect(await read(["b[]", "1"], ["b[]", "2"], ["b", "3"])).toEqual({ b: ["1", "2", "3"] });
});

test("a name in brackets is a field of the one before", async () => {
  const fields = [
    ["metadata[style]", "anime"],
    ["metadata[seed]", "7"],
    ["metadata[seed]", "8"],
  ] as const;
  expect(await read(...fields)).toEqual({ metadata: { style: "anime", seed: ["7", "8"] } });
});

test("hazard H9 no name reaches what every object has", async () => {
  const value = await read(
    ["__proto__[polluted]", "yes"],
    ["constructor[prototype]", "yes"],
    ["__proto__", "yes"],
    ["a[__proto__]", "yes"],
  );
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value)).toEqual(["__proto__", "constructor", "a"]);
});

test("a form of very many fields is refused", async () => {
  const fields = Array.from({ length: 1001 }, () => ["a", ""] as const);
  const refused = await readFormBody(requestOf(fields), bytesMax).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(GatewayError);
  expect((await read(...fields.slice(1)))["a"]).toHaveLength(1000);
});

test("what is no form, or too long, is refused", async () => {
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const broken = new Request("http://gateway.test/", { method: "POST", headers, body: "?" });
  const large = requestOf([["a", "x".repeat(2000)]]);
  const codes: string[] = [];
  for (const request of [broken, large]) {
    await readFormBody(request, 1000).catch((error: unknown) => {
      if (error instanceof GatewayError) codes.push(error.code);
    });
  }
  expect(codes).toEqual(["invalid_request", "request_body_too_large"]);
});
