// Run before all tests: sees to it that there is a browser, and ends badly when there can be none.
import { openBrowser, sayMissing } from "./chromium.ts";

const opened = await openBrowser();
if ("browser" in opened) await opened.browser.close();
else sayMissing("nothing in test/e2e, which is left out", opened.missing);
process.exit("browser" in opened ? 0 : 1);
