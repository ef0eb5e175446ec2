// Says in a sentence that Node is too old, before anything is read that an old one cannot parse.
// So this file, and whatever imports it, is written in words that Node 12 knows.

const nodeMin = 18;

export function refuseOldNode() {
  const found = process.versions.node;
  if (parseInt(found, 10) >= nodeMin) return;
  process.stderr.write(
    "Sluice needs Node " +
      nodeMin +
      " or newer, and this is Node " +
      found +
      ": " +
      "install a newer one (https://nodejs.org) and start again.\n",
  );
  process.exit(1);
}
