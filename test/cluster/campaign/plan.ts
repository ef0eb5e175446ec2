// Schedule of the faults by round. Each round kills a node; the others come in turns that share no
// factor, so that all pairs of them meet.

export type Fault =
  | "node killed"
  | "killed amid long answers"
  | "database stopped at once"
  | "failover to the standby"
  | "Redis killed"
  | "frozen beyond its lease"
  | "cut off beyond its lease"
  | "connections cut"
  | "replies lost";

interface Turn {
  fault: Fault;
  every: number;
  at: number;
}

/** Each comes at least 20 times in 200 rounds, but for failovers: each needs a new standby. */
const turns: readonly Turn[] = [
  { fault: "node killed", every: 1, at: 0 },
  { fault: "replies lost", every: 1, at: 0 },
  { fault: "killed amid long answers", every: 7, at: 4 },
  { fault: "connections cut", every: 5, at: 3 },
  { fault: "frozen beyond its lease", every: 8, at: 1 },
  { fault: "Redis killed", every: 9, at: 2 },
  { fault: "cut off beyond its lease", every: 10, at: 6 },
  { fault: "database stopped at once", every: 9, at: 5 },
  { fault: "failover to the standby", every: 20, at: 12 },
];

export function faultsOf(round: number): Fault[] {
  return turns.filter(({ every, at }) => round % every === at % every).map(({ fault }) => fault);
}
