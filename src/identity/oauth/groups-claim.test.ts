import { expect, test } from "bun:test";
import { groupsIn } from "./groups-claim.ts";

test.each<[object, string, string[] | null]>([
  [{ groups: ["a", "b"] }, "groups", ["a", "b"]],
  [{ groups: [] }, "groups", []],
  [{ groups: "a" }, "groups", ["a"]],
  [{ realm_access: { roles: ["a"] } }, "realm_access.roles", ["a"]],
  [{ "https://corp.example/groups": ["a"] }, "https://corp.example/groups", ["a"]],
  [{}, "groups", null],
  [{ groups: null }, "groups", null],
  [{ groups: [1] }, "groups", null],
  [{ groups: { a: true } }, "groups", null],
  [{ realm_access: "no" }, "realm_access.roles", null],
  [{ hasgroups: true, groups: [] }, "groups", null],
  [{ _claim_names: { groups: "src1" } }, "groups", null],
  [{ _claim_names: { groups: "src1" }, groups: [] }, "groups", null],
  [{ _claim_names: { other: "src1" }, groups: ["a"] }, "groups", ["a"]],
  [{ groups: Array(2001).fill("a") }, "groups", null],
])("O7 groups in %j by %s are %j", (claims, path, groups) => {
  expect(groupsIn({ ...claims }, path)).toEqual(groups);
});
