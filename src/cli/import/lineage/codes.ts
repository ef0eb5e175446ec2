// Codes for credit of a program of this lineage, those that nobody has used.
import { digest, readSpelt } from "../../../identity/secrets.ts";
import { isGone, numberIn, secondsIn, cellText, wholeIn } from "../cells.ts";
import { counted, type SnapshotCode, type Remark } from "../snapshot.ts";
import type { SourceTables } from "../queries.ts";

const columns = ["id", "key", "status", "name", "quota", "expired_time", "deleted_at"];
const shownCharacters = 5;
const usable = 1;

export async function readCodes(
  tables: SourceTables,
): Promise<{ codes: SnapshotCode[]; remarks: Remark[] }> {
  const remarks: Remark[] = [];
  const rows = await tables.rows("redemptions", columns);
  const open = rows.filter((row) => !isGone(row) && numberIn(row, "status") === usable);
  if (open.length < rows.length) {
    const why = "were used, disabled or deleted";
    remarks.push({ about: `${counted(rows.length - open.length, "code")} for credit`, why });
  }
  const codes = open.flatMap((row) => {
    const [ref, text] = [cellText(row, "id"), cellText(row, "key")];
    const spelt = readSpelt(text);
    if (spelt === null) {
      remarks.push({ about: `code ${ref}`, why: "has letters that no code here has" });
      return [];
    }
    return [
      {
        ref,
        hash: digest(spelt),
        shown: `${text.slice(0, shownCharacters)}…`,
        name: cellText(row, "name"),
        units: wholeIn(row, "quota"),
        expiresAt: secondsIn(row, "expired_time"),
      },
    ];
  });
  return { codes, remarks };
}
