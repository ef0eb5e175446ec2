// Groups of tests: every test file of the repository is in exactly one of them. `npm test` runs the
// groups of the fast half, `npm run test:all` all of them.

/** A program that a group of tests needs beside the packages of npm. */
export type Requirement = "chromium" | "postgres" | "program";

export interface TestGroup {
  name: string;
  half: "fast" | "full";
  /** Folders and files. */
  paths: readonly string[];
  /** Folders and files within those that are of another group. */
  except?: readonly string[];
  /** Processes that share its files. Files that share a browser or a database server take one. */
  processes: number;
  /** Without one of these the group is left out, and its files are counted as skipped. */
  needs?: readonly Requirement[];
  /** Globs of files that its tests read without importing them. */
  reads?: readonly string[];
}

/** Commands that take longer than any test run, or need more than this repository has. */
export const nightlyCommands: readonly string[] = [
  "affinity",
  "agents",
  "bench",
  "cluster-crash",
  "crash",
  "flakes",
  "holds",
  "import-trial",
  "recipes",
  "s3-trial",
  "sim",
  "test:cluster",
  "test:console",
];

const gateway = "test/conformance";

/** The slowest first: begun last, one of them would be waited for alone. */
export const testGroups: readonly TestGroup[] = [
  {
    name: "console",
    half: "full",
    paths: ["test/e2e"],
    except: ["test/e2e/console/walks"],
    processes: 2,
    needs: ["chromium"],
    reads: ["web/**"],
  },
  {
    name: "console, every page",
    half: "full",
    paths: ["test/e2e/console/walks"],
    processes: 1,
    needs: ["chromium"],
    reads: ["web/**"],
  },
  {
    name: "cluster",
    half: "full",
    paths: ["test/cluster"],
    processes: 1,
    needs: ["postgres", "program"],
  },
  {
    name: "packages",
    half: "full",
    paths: ["test/deploy", "test/first-day"],
    processes: 1,
    needs: ["program"],
    reads: ["deploy/**", "Dockerfile", "compose.yaml", "README.md", "docs/*.md"],
  },
  {
    name: "management",
    half: "full",
    paths: [
      `${gateway}/accounts`,
      `${gateway}/busy`,
      `${gateway}/console`,
      `${gateway}/control-access.test.ts`,
      `${gateway}/control-policies.test.ts`,
      `${gateway}/control.test.ts`,
      `${gateway}/mail`,
      `${gateway}/observability.test.ts`,
      `${gateway}/organisations`,
      `${gateway}/prices`,
      `${gateway}/reference`,
      `${gateway}/roles`,
      `${gateway}/sessions.test.ts`,
      `${gateway}/settings`,
      `${gateway}/video/player.test.ts`,
      `${gateway}/watching`,
      "test/clients/former-majors.test.ts",
      "test/demo",
    ],
    processes: 2,
  },
  {
    name: "lifecycle",
    half: "full",
    paths: [`${gateway}/lifecycle`, "test/affinity", "test/crash", "test/import"],
    processes: 1,
    needs: ["program"],
  },
  {
    name: "requests",
    half: "fast",
    paths: [gateway],
    except: [
      `${gateway}/accounts`,
      `${gateway}/budgets`,
      `${gateway}/busy`,
      `${gateway}/console`,
      `${gateway}/control-access.test.ts`,
      `${gateway}/control-policies.test.ts`,
      `${gateway}/control.test.ts`,
      `${gateway}/lifecycle`,
      `${gateway}/mail`,
      `${gateway}/observability.test.ts`,
      `${gateway}/organisations`,
      `${gateway}/prices`,
      `${gateway}/reference`,
      `${gateway}/roles`,
      `${gateway}/sessions.test.ts`,
      `${gateway}/settings`,
      `${gateway}/video`,
      `${gateway}/watching`,
    ],
    processes: 2,
  },
  { name: "hazards", half: "fast", paths: ["test/hazards"], processes: 1 },
  {
    name: "units",
    half: "fast",
    paths: ["src", "sandbox", "web", "bench"],
    processes: 3,
    reads: ["src/**/*.json", "web/**/*.css", "web/**/*.html", "sandbox/**/*.json"],
  },
  {
    name: "clients",
    half: "fast",
    paths: ["test/clients"],
    except: ["test/clients/former-majors.test.ts"],
    processes: 1,
  },
  {
    name: "money",
    half: "fast",
    paths: ["test/sim", "test/holds", "test/planted", "test/flakes"],
    processes: 2,
    reads: ["test/holds/**/*.json"],
  },
  {
    name: "videos",
    half: "fast",
    paths: [`${gateway}/video`],
    except: [`${gateway}/video/player.test.ts`],
    processes: 1,
  },
  {
    name: "laws",
    half: "fast",
    paths: ["test/tidy", "test/tidy.test.ts", "test/docs", "test/docs.test.ts", "test/runner"],
    processes: 1,
    reads: ["**/*.md", "**/*.ts", "**/*.tsx", "**/*.mjs", "**/*.css", "*.json", "deploy/**"],
  },
  {
    name: "golden files",
    half: "fast",
    paths: ["test/golden", "test/fidelity"],
    processes: 1,
    reads: ["test/golden/**/*.json", "test/golden/**/*.txt", "docs/fidelity.md"],
  },
  { name: "budgets", half: "fast", paths: [`${gateway}/budgets`], processes: 1 },
];
