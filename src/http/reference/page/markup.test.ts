import { expect, test } from "bun:test";
import { listing, markup, prose } from "./markup.ts";

test("what is put into markup is escaped, unless it is markup itself", () => {
  const inner = markup`<b>${'<script>"&'}</b>`;
  expect(markup`<p>${inner}${[inner]}</p>`.html).toBe(
    "<p><b>&lt;script&gt;&quot;&amp;</b><b>&lt;script&gt;&quot;&amp;</b></p>",
  );
});

test("words between backticks are code, and nothing in them is markup", () => {
  expect(prose("Send `a<b` or `c`, 1 < 2.").html).toBe(
    "Send <code>a&lt;b</code> or <code>c</code>, 1 &lt; 2.",
  );
  expect(prose("One ` alone stays.").html).toBe("One ` alone stays.");
});

test("a listing marks the address that the script replaces", () => {
  expect(listing("curl http://127.0.0.1:3000/v1 '<'").html).toBe(
    '<pre>curl <span class="origin">http://127.0.0.1:3000</span>/v1 &#x27;&lt;&#x27;</pre>',
  );
});
