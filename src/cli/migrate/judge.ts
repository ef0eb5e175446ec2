// Next step of a move, by each end's own record. Rows are at home in one place at any time.
import { departed, type Relocation } from "../../store/move/relocation.ts";
import type { Peeked } from "../../store/move/peek.ts";
import { ControlError } from "../control-client.ts";

/** `finish`: everything was copied, and only the last mark is missing. */
export type MoveStage = { kind: "begin" } | { kind: "resume" | "finish" | "done"; moveId: string };

const givenUp =
  "the target has the beginning of a move that was given up: empty it (drop the schemas sluice " +
  "and sluice_log, or remove the folder's sluice.db, log.db and journals) and move again";

export function judge(source: Peeked, target: Peeked): MoveStage {
  const [from, to] = [source.mark, target.mark];
  if (from?.state === "departed") return afterDisconnect(from, to);
  if (!source.isBegun && from === null) {
    throw new ControlError("there are no rows of a gateway to move");
  }
  if (from?.state === "arriving") {
    throw new ControlError("a move to the source itself was not finished: finish that one first");
  }
  if (to?.state === "arriving") {
    if (from?.state === "departing" && from.move_id === to.move_id) {
      return { kind: "resume", moveId: to.move_id };
    }
    throw new ControlError(givenUp);
  }
  if (target.isBegun || to !== null) throw new ControlError(occupied(to));
  return { kind: "begin" };
}

function afterDisconnect(from: Relocation, to: Relocation | null): MoveStage {
  if (to?.move_id === from.move_id && to.state === "arrived") {
    return { kind: "done", moveId: to.move_id };
  }
  if (to?.move_id === from.move_id && to.state === "arriving") {
    return { kind: "finish", moveId: to.move_id };
  }
  throw new ControlError(departed(from));
}

function occupied(mark: Relocation | null): string {
  const why =
    mark?.state === "departed"
      ? `, which have moved to ${mark.detail}`
      : ": it is never overwritten";
  return `the target has the rows of a gateway${why}. Name an empty database or folder`;
}
