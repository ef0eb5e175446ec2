// Comparison of a declared entity with the row that is there already.
/** True when the row already has every wanted value, so that it need not be written. */
export function agrees<Row extends object>(current: Row, wanted: Partial<Row>): boolean {
  return Object.entries(wanted).every(
    ([name, value]) => Reflect.get(current, name) === value || value === undefined,
  );
}
