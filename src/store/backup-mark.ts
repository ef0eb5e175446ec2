// The file of the data folder whose age is that of the last backup.

export const backupMarkFile = "backed-up";
