// Ends a capture, and deletes what it has kept.
import type { Operator } from "../../identity/caller.ts";
import { deleteCapture, readCaptures } from "../../observe/capture/queries.ts";
import { noting } from "../audit/entry.ts";
import { inTurn } from "../in-turn.ts";
import { existing, orNotFound, readId } from "../input.ts";
import { concerns } from "./list.ts";
import { captureIdPrefix, captureTopic, type CaptureNeeds } from "./needs.ts";

export async function removeCapture(
  needs: CaptureNeeds,
  operator: Operator,
  input: { id: string },
): Promise<{ id: string }> {
  const id = readId(input.id, captureIdPrefix);
  return await inTurn(needs, captureTopic, async () => {
    const rows = await readCaptures(needs.database);
    existing(rows.find((row) => row.id === id && concerns(row, operator)));
    const note = { action: "capture.remove", target: id } as const;
    const { store, database } = noting(needs, operator, note);
    await orNotFound(deleteCapture(store, database, id));
    await needs.captures.reload();
    return { id };
  });
}
