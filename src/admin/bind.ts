// Verbs: calls of the control plane with the functions that do them.
import type { Operator } from "../identity/caller.ts";
import type { AnswerOf, ControlCall, InputOf } from "./call.ts";

type Run<Needs, One extends ControlCall> = (
  needs: Needs,
  operator: Operator,
  input: InputOf<One>,
) => Promise<AnswerOf<One>>;

export interface BoundVerb<Needs> {
  call: ControlCall;
  run(needs: Needs, operator: Operator, input: object): Promise<unknown>;
}

type Runs<Calls extends Record<string, ControlCall>> = {
  [Name in keyof Calls]: Run<never, Calls[Name]>;
};

/** Needs of all the functions together. */
type NeedsOf<Given> = {
  [Name in keyof Given]: Given[Name] extends (needs: infer Needs, ...rest: never[]) => unknown
    ? (needs: Needs) => void
    : never;
}[keyof Given] extends (needs: infer Needs) => void
  ? Needs
  : never;

/**
 * Stops compiling when a call lacks its function, or when a function takes or gives something else
 * than the schemas of its call.
 */
export function bind<Calls extends Record<string, ControlCall>, Given extends Runs<Calls>>(
  calls: Calls,
  runs: Given,
): BoundVerb<NeedsOf<Given>>[] {
  return Object.entries(calls).map(([name, call]) => ({
    call,
    // The route table parses by the schemas of the call, and the function takes what they say.
    run: runs[name as keyof Calls] as BoundVerb<NeedsOf<Given>>["run"],
  }));
}
