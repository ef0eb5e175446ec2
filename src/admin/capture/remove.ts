// Ends a capture, and deletes what it has kept.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { deleteCapture, readCaptures } from "../../observe/capture/queries.ts";
import { noting } from "../audit/entry.ts";
import { exclusively } from "../exclusively.ts";
import { existing, orNotFound, readId } from "../input.ts";
import { findConcerning, mayEnd, readRights } from "./concern.ts";
import { captureIdPrefix, captureTopic, type CaptureNeeds } from "./needs.ts";

export async function removeCapture(
  needs: CaptureNeeds,
  operator: Operator,
  input: { id: string },
): Promise<{ id: string }> {
  const id = readId(input.id, captureIdPrefix);
  return await exclusively(needs, captureTopic, async () => {
    const rows = await readCaptures(needs.database);
    const known = rows.filter((row) => row.id === id);
    const { row } = existing((await findConcerning(needs, operator, known))[0]);
    const actors = await readRights(needs, [row.actor_id]);
    // A member who is only concerned is answered as everywhere about what is another's.
    const isMember = !operator.may.has("contents.read");
    if (!mayEnd(operator, row, actors)) {
      throw new GatewayError(isMember ? "not_found" : "permission_denied");
    }
    const note = { action: "capture.remove", target: id } as const;
    const { store, database } = noting(needs, operator, note);
    await orNotFound(deleteCapture(store, database, id));
    await needs.captures.reload();
    return { id };
  });
}
