import { expect, test } from "bun:test";
import { openPlane, refusal } from "./fixtures/control-plane.ts";
import { assertWayIn } from "./way-in.ts";

test("hazard F6 the last way into an account stays, be it an identity or a passkey", async () => {
  await using plane = await openPlane();
  const { control } = plane;
  const { accountId } = await plane.person("ann");
  const none = { identities: 0, passkeys: 0 };
  // The password is a way in.
  await assertWayIn(control, accountId, none);
  const noPassword = { password_hash: "" };
  await control.database
    .updateTable("account")
    .set(noPassword)
    .where("id", "=", accountId)
    .execute();
  expect((await refusal(assertWayIn(control, accountId, none))).code).toBe("conflict");
  await assertWayIn(control, accountId, { identities: 1, passkeys: 0 });
  await assertWayIn(control, accountId, { identities: 0, passkeys: 1 });
});
