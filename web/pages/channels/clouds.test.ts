import { expect, test } from "bun:test";
import { isCloud, vendorFaults } from "../../../src/config/cloud/rules.ts";
import { upstreams } from "../../../src/upstreams/index.ts";
import { addressWith, cloudFields, takesField, vendorNames, vendorOf } from "./clouds.ts";

const values = { authority: "http://127.0.0.1:9" } as const;

test("each cloud is asked for the fields that its type takes, and for no others", () => {
  const clouds = Object.keys(upstreams).filter((type) => isCloud(type));
  expect(Object.keys(cloudFields).toSorted()).toEqual(clouds.toSorted());
  for (const type of Object.keys(upstreams)) {
    const taken = vendorNames.filter((name) => {
      const vendor = {
        [name]: name === "region" ? "eu-west-1" : "x",
        ...(name === "authority" && values),
      };
      return vendorFaults({ type, vendor, allow_private: true }).length === 0;
    });
    expect([type, vendorNames.filter((name) => takesField({ type }, name))]).toEqual([type, taken]);
  }
});

test("fields that are filled in are one object, and none is none", () => {
  expect(vendorOf({ project: "p", location: "" })).toEqual({ project: "p" });
  expect(vendorOf({})).toEqual({});
});

test("a part of the address that is a field of its own is filled in from there", () => {
  const address = "https://bedrock-runtime.{region}.amazonaws.com";
  const filled = "https://bedrock-runtime.us-east-1.amazonaws.com";
  expect(addressWith(address, { region: "us-east-1" })).toBe(filled);
  expect(addressWith(filled, { region: "eu-west-1" })).toBe(filled);
  for (const fields of [{}, { region: "" }]) expect(addressWith(address, fields)).toBe(address);
});
