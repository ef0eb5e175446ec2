// The programs as functions in the database, one call each. A function's name has the digest of
// its text, so nodes of different versions beside each other each call their own.
import type { Program } from "../step.ts";
import { compileStep, type ColumnTypes } from "./compile-step.ts";
import { logSchema, mainSchema, type Session } from "./connection.ts";

/** The names of functions by those of programs. */
export type ProgramFunctions = ReadonlyMap<string, string>;

export async function createFunctions(
  session: Session,
  programs: Readonly<Record<string, Program>>,
): Promise<ProgramFunctions> {
  const types = await readTypes(session);
  const functions = new Map<string, string>();
  for (const [name, program] of Object.entries(programs)) {
    const body = compileProgram(program, types);
    const digest = new Bun.CryptoHasher("sha256").update(body).digest("hex").slice(0, 12);
    const called = `${mainSchema}.run_${name}_${digest}`;
    await session.ask(`create or replace function ${called}(_document jsonb) returns void
      language plpgsql as $program$${body}$program$`);
    functions.set(name, called);
  }
  return functions;
}

function compileProgram(program: Program, types: ColumnTypes): string {
  const steps = program.map(
    (step) => `
  _rows := _document -> '${step.list}';
  if jsonb_array_length(_rows) > 0 then
    ${compileStep(step, program, types)}
  end if;`,
  );
  return `
#variable_conflict use_column
declare _rows jsonb; _row jsonb; _changed bigint; _expected bigint;
begin${steps.join("")}
end`;
}

/** Types of columns that are not text. */
async function readTypes(session: Session): Promise<ColumnTypes> {
  const { rows } = await session.ask(
    `select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid
       join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ($1, $2) and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
       and a.atttypid <> 'text'::regtype`,
    [mainSchema, logSchema],
  );
  return new Map(rows.map(({ name, type }) => [String(name), String(type)]));
}
