// A real program of Debian's: a variable names one, else that of the system is taken; else its
// package is fetched and unpacked beside the tests, so that nothing is installed and no service
// starts.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isInstallAllowed } from "../harness/requirements.ts";

type Found = { path: string } | { missing: string };

interface DebianProgram {
  /** The name of the package and of the program in it. */
  name: string;
  variable: string;
  /** Path in the package. */
  place: string;
}

const fetchMsMax = 60_000;

/** Time that a test has to wait at most where it is fetched first. */
export const fetchedMsMax = fetchMsMax + 60_000;

const finding = new Map<string, Promise<Found>>();

export async function findProgram(program: DebianProgram): Promise<Found> {
  const found = finding.get(program.name) ?? find(program);
  finding.set(program.name, found);
  return await found;
}

async function find({ name, variable, place }: DebianProgram): Promise<Found> {
  const places = [process.env[variable], Bun.which(name), `/${place}`];
  const path = places.find((one) => typeof one === "string" && existsSync(one));
  if (path) return { path };
  if (!isInstallAllowed()) return { missing: "None is installed; npm run test:all fetches it." };
  const apt = Bun.which("apt-get");
  if (apt === null) return { missing: "None is installed, and there is no apt-get to fetch it." };
  const folder = mkdtempSync(join(tmpdir(), `sluice-${name}-`));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const child = Bun.spawn(["sh", "-c", `${apt} download ${name} && dpkg -x ${name}_*.deb .`], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    signal: AbortSignal.timeout(fetchMsMax),
  });
  const [code, said] = await Promise.all([child.exited, child.stderr.text()]);
  const unpacked = join(folder, place);
  if (code === 0 && existsSync(unpacked)) return { path: unpacked };
  return { missing: `None is installed, and apt-get download ${name} failed: ${said.trim()}` };
}
