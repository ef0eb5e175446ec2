// The addresses that the console asks for in an organisation's scope are those that have one.
import { expect, test } from "bun:test";
import { addressOf, routes } from "../../harness/route-table.ts";
import { takesScope } from "../../../web/core/scope-paths.ts";

test("O4 the console asks in a scope for what has one, and for nothing else", () => {
  const control = routes.filter((route) => route.policy === "control");
  const scoped = control.filter(({ seats, path }) => seats && !path.includes("{organisation}"));
  const methods = (path: string) => control.filter((route) => route.path === path);
  for (const { path } of control) {
    const isScoped = scoped.some((route) => route.path === path);
    expect([path, takesScope(addressOf({ path }))]).toEqual([path, isScoped]);
    // An address has a scope by all of its methods, or by none.
    expect([path, methods(path).every((route) => scoped.includes(route))]).toEqual([
      path,
      isScoped,
    ]);
  }
});
