import { expect, test } from "bun:test";
import { auditCalls } from "../audit/contract.ts";
import { listAuditViews } from "../audit/list.ts";
import { asked } from "../fixtures/asked.ts";
import { openPlane, refusal } from "../fixtures/control-plane.ts";
import { listModelNotes, removeModelNote, writeModelNote } from "./notes.ts";

const all = new URLSearchParams();

test("a note on a model is one, whoever reads it, and its changes are audited", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const person = await plane.person("ann");
  await writeModelNote(control, root, { model: "m", note: "Slow." });
  await writeModelNote(control, root, { model: "m", note: "Slow, but right." });
  const { items, total } = await listModelNotes(control, person, all);
  expect(items).toMatchObject([{ model: "m", note: "Slow, but right." }]);
  expect(total).toBe(1);
  const query = new URLSearchParams({ model: "m" });
  expect(await removeModelNote(control, root, query)).toEqual({ model: "m" });
  expect((await refusal(removeModelNote(control, root, query))).code).toBe("not_found");
  const kind = asked(auditCalls.list, "target_kind=model_note");
  const entries = (await listAuditViews(control, root, kind)).items;
  expect(entries.map(({ action, changes }) => [action, changes])).toEqual([
    ["model_note.remove", {}],
    ["model_note.write", { note: { from: "Slow.", to: "Slow, but right." } }],
    ["model_note.write", { note: "Slow." }],
  ]);
});

test("a note has words", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const empty = writeModelNote(control, root, { model: "m", note: " " });
  expect(await refusal(empty)).toEqual({ code: "invalid_request", param: "note" });
  expect((await refusal(removeModelNote(control, root, all))).param).toBe("model");
});
