import { expect, test } from "bun:test";
import { readGroups, writeGroup } from "../../identity/groups/queries.ts";
import { toRow } from "../group/row.ts";
import { asked } from "../fixtures/asked.ts";
import { openPlane, thrown, type Plane } from "../fixtures/control-plane.ts";
import { auditCalls } from "./contract.ts";
import { actorOf, configActor, noteAlone, noting } from "./entry.ts";
import { listAuditViews } from "./list.ts";

const note = { action: "group.write", target: "vip", changes: { multiplier: 2 } } as const;

async function entries({ control, root }: Plane) {
  return (await listAuditViews(control, root, asked(auditCalls.list))).items;
}

test("hazard G17 a change and its entry are written together, or neither is", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const before = (await entries(plane)).length;
  const broken = { ...toRow({ name: "vip" }, 0), multiplier_ppm: -1 };
  const refused = thrown(() => writeGroup(noting(control, root, note).database, broken));
  expect(await refused).toContain("constraint");
  expect(await entries(plane)).toHaveLength(before);
  await writeGroup(noting(control, root, note).database, toRow({ name: "vip" }, 0));
  const [entry] = await entries(plane);
  expect(entry).toMatchObject({ action: "group.write", target_kind: "group", target_id: "vip" });
  expect(entry).toMatchObject({ actor: "root", changes: { multiplier: 2 } });
});

test("hazard G17 an entry belongs to one commit: a second change under it is undone", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { database } = noting(control, root, note);
  await writeGroup(database, toRow({ name: "vip" }, 0));
  await thrown(() => writeGroup(database, toRow({ name: "unnoted" }, 0)));
  const names = (await readGroups(control.database)).map(({ name }) => name);
  expect(names).toEqual(["default", "vip"]);
});

test("who acted is told by how they came", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  expect(actorOf(root).carrier).toBe("token");
  expect(actorOf({ ...root, isCommandLine: true }).carrier).toBe("cli");
  const { id } = await control.sessions.open(root.accountId, { ip: "", agent: "" }, null);
  expect(actorOf({ ...root, sessionId: id, ip: "192.0.2.1" })).toMatchObject({
    carrier: "session",
    ip: "192.0.2.1",
  });
  await noteAlone(control, configActor, { action: "config.reload", target: "declared" });
  expect((await entries(plane))[0]).toMatchObject({ actor: null, carrier: "config", changes: {} });
});
