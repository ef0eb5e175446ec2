// The functions of the ledger, under names that carry the hash of their texts: during an upgrade
// old and new nodes call each their own.
import { reap, fold, tidy } from "./reap.ts";
import {
  changeCaps,
  giveBack,
  lend,
  lent,
  lock,
  recall,
  recalled,
  recallShort,
  turnLimits,
} from "./lend.ts";
import { endTasks, holdTasks } from "./tasks.ts";
import { conflicts, enterEntries, own, turn, without, type TurnRows } from "./turn.ts";

export interface TurnFunctions {
  /** To be run at a start, under the lock of the migrations. */
  statements: string[];
  turn: string;
  reap: string;
  fold: string;
  tidy: string;
}

/** A plan that was made while tables were small must never become a scan of all of them. */
const settings =
  " set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off";

export function turnFunctions(rows: TurnRows): TurnFunctions {
  const texts = {
    enter: enterEntries,
    own,
    lock,
    give_back: giveBack,
    turn_limits: turnLimits,
    recall_short: recallShort,
    recall,
    change_caps: changeCaps,
    lend,
    lent,
    recalled,
    hold_tasks: holdTasks,
    end_tasks: endTasks,
    conflicts,
    without,
    turn: turn(rows),
    reap,
    fold: fold(rows),
    tidy,
  };
  const digest = Bun.SHA256.hash(JSON.stringify([texts, settings]), "hex").slice(0, 12);
  const named = (name: string) => `ledger_${name}_${digest}`;
  const statements = Object.entries(texts).map(([name, text]) => {
    const called = text.replace(/@(\w+)/g, (_text, other: string) => named(other));
    const plans = name === "turn" || name === "fold" ? settings : "";
    return `create or replace function ${named(name)}${called}${plans}`;
  });
  return {
    statements,
    turn: named("turn"),
    reap: named("reap"),
    fold: named("fold"),
    tidy: named("tidy"),
  };
}
