// Record of a move, in the main database and in that of the log.

export function relocationColumns(integer: string): string[] {
  return [
    "part text primary key",
    "move_id text not null",
    "state text not null",
    "detail text not null",
    `row_count ${integer} not null`,
    `at_ms ${integer} not null`,
  ];
}
