import { expect, test } from "bun:test";
import { auditCalls } from "../audit/contract.ts";
import { listAuditViews } from "../audit/list.ts";
import { asked } from "../fixtures/asked.ts";
import { openPlane, refusal } from "../fixtures/control-plane.ts";
import { parseQuery } from "../parse-query.ts";
import { modelNoteCalls } from "./contract.ts";
import { listModelNotes, removeModelNote, writeModelNote } from "./notes.ts";

const all = { query: { p: 1, page_size: 20 } };

test("a note on a model is one, whoever reads it, and its changes are audited", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const person = await plane.person("ann");
  await writeModelNote(control, root, { body: { model: "m", note: "Slow." } });
  await writeModelNote(control, root, { body: { model: "m", note: "Slow, but right." } });
  const { items, total } = await listModelNotes(control, person, all);
  expect(items).toMatchObject([{ model: "m", note: "Slow, but right." }]);
  expect(total).toBe(1);
  const wanted = { query: { model: "m" } };
  expect(await removeModelNote(control, root, wanted)).toEqual({ model: "m" });
  expect((await refusal(removeModelNote(control, root, wanted))).code).toBe("not_found");
  const kind = asked(auditCalls.list, "target_kind=model_note");
  const entries = (await listAuditViews(control, root, kind)).items;
  expect(entries.map(({ action, changes }) => [action, changes])).toEqual([
    ["model_note.remove", {}],
    ["model_note.write", { note: { from: "Slow.", to: "Slow, but right." } }],
    ["model_note.write", { note: "Slow." }],
  ]);
});

test("a note has words, and the one that is removed a model", async () => {
  const { write, remove } = modelNoteCalls;
  const empty = (async () => write.body.parse({ model: "m", note: " " }))();
  expect(await refusal(empty)).toEqual({ code: "invalid_request", param: "note" });
  const unnamed = (async () => parseQuery(remove.query, new URLSearchParams("model=")))();
  expect((await refusal(unnamed)).param).toBe("model");
});
