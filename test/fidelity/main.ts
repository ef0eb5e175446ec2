// Writes docs/fidelity.md: npm run fidelity
import { measureAll } from "./measure.ts";
import { pagePath, renderPage } from "./page.ts";

await Bun.write(pagePath, renderPage(measureAll()));
