// Invariants at the end: every task in its books once, and every job of the vendors with the task
// that it was made for.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { JobLine } from "../../../sandbox/jobs.ts";
import { tally } from "../../harness/ask.ts";
import { Book } from "../checks.ts";
import { markIn, type Asked, type Seen } from "./load.ts";

export interface Figures {
  tasks: number;
  completed: number;
  failed: number;
  /** Failed because nobody knows whether the vendor began; the operator may have to pay. */
  unknownOutcomes: number;
  /** Jobs of such tasks. */
  orphans: number;
  /** Their first answer was lost, and they were found by our own id. */
  foundAgain: number;
  /** Number of each kind among those that ended well. */
  completedByKind: Record<string, number>;
  postedMicros: number;
  lossMicros: number;
}

export interface Finding extends Figures {
  violations: string[];
}

interface Task {
  id: string;
  account_id: string;
  state: string;
  operation: string | null;
  deleted_at_ms: number | null;
  job: string;
  result: string | null;
  held_micros: number;
  entries: number;
  kind: string | null;
  micros: number | null;
  loss_micros: number | null;
  reason: string | null;
}

const tasksSql = `
  select t.id, t.account_id, t.state, t.operation, t.deleted_at_ms, t.job, t.result,
         t.held_micros,
         count(e.id) as entries, min(e.kind) as kind, min(e.micros) as micros,
         min(e.loss_micros) as loss_micros, min(e.reason) as reason
  from task t left join entry e on e.id = t.id
  group by t.id order by t.id`;

export function countOpen(folder: string): number {
  using book = new Book(folder);
  return book.number("select count(*) from task where state not in ('completed', 'failed')");
}

/** Reads the database of a gateway that has stopped. */
export async function checkTasks(folder: string, seen: Seen, jobs: JobLine[]): Promise<Finding> {
  using book = new Book(folder);
  const { violations, postedMicros } = await book.check();
  const tasks = book.all(tasksSql) as unknown as Task[];
  const byMark = latestByMark(tasks);
  const jobsByMark = new Map(jobs.map((job) => [markIn(job.prompt), job]));
  violations.push(
    ...checkOneEach(tasks, jobs),
    ...checkAccepted(seen, tasks),
    ...tasks.flatMap((task) => checkTask(folder, task, seen.asked.get(markIn(task.job)))),
    ...jobs.flatMap((job) => checkJob(job, byMark.get(markIn(job.prompt)))),
    ...byMark
      .entries()
      .flatMap(([mark, task]) => checkEnd(task, jobsByMark.get(mark), seen.asked.get(mark))),
  );
  const lost = tasks.filter(isLost);
  const isFound = ({ state, job }: Task) => state === "completed" && /:(?:cut|garbage)/.test(job);
  return {
    violations: [...violations, ...seen.odd],
    tasks: tasks.length,
    completed: tasks.filter(({ state }) => state === "completed").length,
    failed: tasks.filter(({ state }) => state === "failed").length,
    unknownOutcomes: lost.length,
    orphans: lost.filter(({ job }) => jobsByMark.has(markIn(job))).length,
    foundAgain: tasks.filter(isFound).length,
    completedByKind: Object.fromEntries(
      tally(
        tasks
          .filter(({ state }) => state === "completed")
          .map(({ job }) => seen.asked.get(markIn(job))?.offer.kind ?? "unknown"),
      ),
    ),
    postedMicros,
    lossMicros: book.number("select coalesce(sum(loss_micros), 0) from entry"),
  };
}

function isLost({ reason }: Task): boolean {
  return reason === "unknown outcome";
}

/** A task whose create was refused is deleted, and the create may be sent again. */
function latestByMark(tasks: Task[]): Map<string, Task> {
  const ordered = [...tasks.filter(isDeleted), ...tasks.filter((task) => !isDeleted(task))];
  return new Map(ordered.map((task) => [markIn(task.job), task]));
}

function isDeleted({ deleted_at_ms: deletedAtMs }: Task): boolean {
  return deletedAtMs !== null;
}

/** However often it was asked for, each is there once. */
function checkOneEach(tasks: Task[], jobs: JobLine[]): string[] {
  const live = tasks.filter((task) => !isDeleted(task)).map(({ job }) => markIn(job));
  const made = jobs.map(({ prompt }) => markIn(prompt));
  const references = jobs.flatMap(({ reference }) => reference ?? []);
  return [
    ...repeated(live).map((mark) => `${mark} has several tasks`),
    ...repeated(made).map((mark) => `${mark} was made twice`),
    ...repeated(references).map((reference) => `${reference} is the name of two jobs`),
  ];
}

function repeated(texts: string[]): string[] {
  return [...tally(texts)].filter(([, count]) => count > 1).map(([text]) => text);
}

/** The holder of a task's id finds it, ended as it was told. */
function checkAccepted({ accepted }: Seen, tasks: Task[]): string[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return accepted.flatMap(({ id, end }) => {
    const task = byId.get(id ?? "");
    if (!task || isDeleted(task)) return [`${id} was accepted and is gone`];
    return end === null || end === task.state ? [] : [`${id} was ${end}, and is ${task.state} now`];
  });
}

/** One entry each: a charge of what it costs, or a refund. */
function checkTask(folder: string, task: Task, asked: Asked | undefined): string[] {
  const { id, state, entries, kind, micros, result } = task;
  if (!asked) return [`${id} is a task that nobody asked for`];
  const price = asked.offer.micros;
  const found = `${state}, ${entries} x ${kind} of ${micros}`;
  const isCompleted = state === "completed";
  const wanted = isCompleted ? `completed, 1 x post of ${price}` : "failed, 1 x void of 0";
  const loss = isLost(task) ? task.held_micros : 0;
  const isKept =
    !isCompleted || filesIn(result).every((id) => existsSync(join(folder, "media", id)));
  return [
    ...(found === wanted ? [] : [`${id}: ${found} instead of ${wanted}`]),
    ...(task.account_id === asked.customer.id ? [] : [`${id} is another account's`]),
    ...(task.held_micros === price ? [] : [`${id} held ${task.held_micros} instead of ${price}`]),
    ...(task.loss_micros === loss ? [] : [`${id}: ${task.loss_micros} lost instead of ${loss}`]),
    ...(isKept ? [] : [`${id} is completed, and its result is not there`]),
  ];
}

/** At least one, in whatever shape the result has them. */
function filesIn(result: string | null): string[] {
  const ids = [...(result ?? "").matchAll(/"mediaId":"([^"]+)"/g)].map(([, id = ""]) => id);
  return ids.length > 0 ? ids : ["nothing"];
}

/** A job was made for one task, and that task was written down. */
function checkJob({ vendor, id, reference, state }: JobLine, task: Task | undefined): string[] {
  if (!task) return [`the job ${id} of ${vendor} has no task`];
  const isOurs = reference === null || reference === task.id;
  return [
    ...(isOurs ? [] : [`the job ${id} of ${vendor} names ${reference} instead of ${task.id}`]),
    ...(state === "queued" || state === "running" ? [`the job ${id} has not ended`] : []),
  ];
}

/** A task ends as its job did; only where that cannot be known is a job left to itself. */
function checkEnd(task: Task, job: JobLine | undefined, asked: Asked | undefined): string[] {
  const { id, state, operation } = task;
  const wrong = (why: string) => [`${id} is ${state}, but ${why}`];
  if (asked?.offer.kind === "image") {
    // A job's maker said so to the caller alone: it is charged, or noted as a loss.
    if (!job) return state === "completed" ? wrong("nobody made it") : [];
    const isRight = state === "completed" || isLost(task);
    return isRight ? [] : wrong("it was made, and no loss is booked");
  }
  if (!job) return operation === null ? [] : wrong(`there is no job ${operation}`);
  if (operation === null) {
    if (!isLost(task)) return wrong("the vendor has its job, and no loss is booked");
    return asked?.offer.canFind ? wrong("its job could have been found") : [];
  }
  if (!operation.endsWith(job.id)) return wrong(`its job is ${job.id}, not ${operation}`);
  const isRight = (job.state === "succeeded") === (state === "completed");
  return isRight ? [] : wrong(`its job has ${job.state}`);
}
