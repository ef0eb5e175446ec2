// Parts that most pages with a list have, imported together so that the bundler puts them into one
// file: as many small ones they are a tenth more on the wire.
import "../core/amounts.ts";
import "../core/series.ts";
import "./table.tsx";
import "./request.tsx";
import "./tabs.tsx";
