/** Reason, for the operator, why a backup is not taken or not restored. */
export class BackupFault extends Error {
  override readonly name = "BackupFault";
}
